import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FencedCluster, operatorAccount, refusal } from "./fenced-cluster.ts";
import { patience } from "./team.ts";

const byName = "kubernetes.io/metadata.name";
const home = "home";
const copyLabels = { "app.kubernetes.io/managed-by": "secret-operator", "multisecrets.multi.ddnw.ml/owner-uid": "1" };

let cluster: FencedCluster;
beforeAll(async () => {
  cluster = await FencedCluster.start();
  for (const name of [home, "mine", "ours", "theirs"]) await cluster.kubectl(["create", "namespace", name]);
  const verbs = "--verb=create,get,list,watch,patch,delete";
  await cluster.kubectl(["create", "clusterrole", "author", verbs, "--resource=multisecrets.multi.ddnw.ml"]);
  for (const user of ["author", "stranger", "administrator"]) await grant("author", user, home);
  await cluster.kubectl(["create", "clusterrole", "writer", "--verb=create", "--resource=secrets"]);
  for (const namespace of ["mine", "ours"]) await grant("writer", "author", namespace);
  await cluster.kubectl(["create", "clusterrolebinding", "all", "--clusterrole=writer", "--user=administrator"]);
}, 120_000);
afterAll(() => cluster?.stop());

async function grant(role: string, user: string, namespace: string): Promise<void> {
  const binding = [`${role}-${user}`, `--clusterrole=${role}`, `--user=${user}`, `--namespace=${namespace}`];
  await cluster.kubectl(["create", "rolebinding", ...binding]);
}

describe("the policy multisecret-authors", () => {
  const create = ["create", "--dry-run=server", "--filename=-"];
  const named = (...values: readonly string[]) => ({
    matchExpressions: [
      { key: "wanted", operator: "Exists" },
      { key: byName, operator: "In", values },
    ],
  });
  const choosing = (namespaceSelector?: object) => ({
    apiVersion: "multi.ddnw.ml/v1alpha1",
    kind: "MultiSecret",
    metadata: { name: "sample", namespace: home },
    spec: { stringData: { user: "me" }, ...(namespaceSelector && { namespaceSelector }) },
  });

  it.for([
    ["all namespaces", undefined],
    ["those of a label", { matchLabels: { wanted: "yes" } }],
    ["those not named", { matchExpressions: [{ key: byName, operator: "NotIn", values: ["theirs"] }] }],
    ["more than can be looked at one by one", named(...Array(9).fill("theirs"))],
  ] as const)("lets only those choose %s who may create Secrets in all", async ([, selector]) => {
    const input = choosing(selector);
    expect(await cluster.kubectl(create, { as: "administrator", input })).toContain("created");
    expect(await refusal(cluster.kubectl(create, { as: "author", input }))).toMatch(
      /denied request: author may not create Secrets in all namespaces, .* or have a ClusterRole granted that allows create on secrets/,
    );
  });

  it.for([
    ["a label", { matchLabels: { [byName]: "mine", wanted: "yes" } }, { matchLabels: { [byName]: "theirs" } }],
    ["a requirement", named("mine", "ours"), named("mine", "theirs")],
    ["as many requirements as can be looked at", named(...Array(8).fill("mine")), named(...Array(7).fill("mine"), "x")],
  ] as const)("lets an author name, by %s, only namespaces in which he may create Secrets", async (selectors) => {
    const [, allowed, refused] = selectors;
    expect(await cluster.kubectl(create, { as: "author", input: choosing(allowed) })).toContain("created");
    expect(await refusal(cluster.kubectl(create, { as: "author", input: choosing(refused) }))).toMatch(
      /denied request: author may not create Secrets in each of the namespaces .*: leave out where not, or have a Role granted there/,
    );
  });

  describe("of one that is there", () => {
    const key = ["multisecret", "sample", `--namespace=${home}`];
    const patch = (as: string, change: object) =>
      cluster.kubectl(["patch", ...key, "--type=merge", `--patch=${JSON.stringify(change)}`], { as });
    beforeAll(async () => {
      await cluster.kubectl(["create", "--filename=-"], { as: "author", input: choosing(named("mine", "ours")) });
    });

    it.for([
      ["what copies hold", { spec: { stringData: { user: "another" } } }],
      ["where they are", { spec: { namespaceSelector: named("mine") } }],
      ["their labels", { metadata: { labels: { owner: "another" } } }],
      ["their annotations", { metadata: { annotations: { note: "another" } } }],
    ])("lets only those change %s who may create Secrets there", async ([, change]) => {
      expect(await refusal(patch("stranger", change as object))).toContain("stranger may not create Secrets in each");
      expect(await patch("author", change as object)).toContain("patched");
    });

    it("refuses an author the first namespace that is not his", async () => {
      expect(await refusal(patch("author", { spec: { namespaceSelector: named("theirs") } }))).toContain(
        "author may not create Secrets in each of the namespaces theirs",
      );
    });

    it("refuses to take away a label of theirs", async () => {
      await patch("author", { metadata: { labels: { kept: "yes" } } });
      expect(await refusal(patch("stranger", { metadata: { labels: { kept: null } } }))).toContain("stranger may not");
    });

    it.for([
      ["finalizers", { metadata: { finalizers: ["example.com/held"] } }],
      ["labels that copies do not get", { metadata: { labels: { "example.com/team": "a" } } }],
      ["annotations that copies do not get", { metadata: { annotations: { "example.com/note": "a" } } }],
    ])("leaves it to everybody to change %s", async ([, change]) => {
      expect(await patch("stranger", change as object)).toContain("patched");
    });

    it("leaves it to everybody to delete it, and to take its finalizers off", async () => {
      await cluster.kubectl(["delete", ...key, "--wait=false"], { as: "stranger" });
      expect(await patch("stranger", { metadata: { finalizers: null } })).toContain("patched");
    });
  });
});

describe("the policy copies-only", () => {
  const secret = (name: string, metadata: object = {}, rest: object = {}) => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace: "theirs", ...metadata },
    ...rest,
  });
  const at = (name: string) => ["secret", name, "--namespace=theirs"];
  const merge = (name: string, change: object) => [
    "patch",
    ...at(name),
    "--type=merge",
    `--patch=${JSON.stringify(change)}`,
  ];

  // More than its RBAC gives it: that the policy alone refuses.
  beforeAll(async () => {
    const account = `--serviceaccount=${operatorAccount.namespace}:${operatorAccount.name}`;
    await cluster.kubectl(["create", "clusterrole", "everything", "--verb=*", "--resource=secrets"]);
    await cluster.kubectl(["create", "clusterrolebinding", "operator", "--clusterrole=everything", account]);
  });

  it("lets the operator's account create, change and delete copies", async () => {
    const input = secret("copy", { labels: copyLabels }, { stringData: { user: "me" } });
    await cluster.kubectlOfOperator(["create", "--filename=-"], input);
    await cluster.kubectlOfOperator(["replace", "--filename=-"], { ...input, stringData: { user: "another" } });
    expect(await cluster.kubectlOfOperator(["delete", ...at("copy")])).toContain("deleted");
  });

  it.for([
    ["without labels", {}],
    ["without an owner", { labels: { ...copyLabels, "multisecrets.multi.ddnw.ml/owner-uid": undefined } }],
    ["of another manager", { labels: { ...copyLabels, "app.kubernetes.io/managed-by": "helm" } }],
  ])("refuses it to create a Secret %s", async ([, metadata]) => {
    const input = secret("foreign", metadata as object);
    expect(await refusal(cluster.kubectlOfOperator(["create", "--filename=-"], input))).toMatch(
      /'secret-operator-copies-only'.*secret-operator may write only copies of MultiSecrets, which bear the labels/,
    );
    expect(await cluster.kubectl(["create", "--dry-run=server", "--filename=-"], { input })).toContain("created");
  });

  it.for([
    ["change", merge("foreign", { stringData: { user: "me" } })],
    ["take over", merge("foreign", { metadata: { labels: copyLabels } })],
    ["delete", ["delete", ...at("foreign")]],
    ["delete, among all,", ["delete", "--raw=/api/v1/namespaces/theirs/secrets"]],
  ] as const)("refuses it to %s a Secret that is no copy", async ([, attempt]) => {
    const created = ["apply", "--server-side", "--filename=-"];
    await cluster.kubectl(created, { input: secret("foreign", {}, { stringData: { user: "theirs" } }) });
    const before = await cluster.kubectl(["get", ...at("foreign"), "--output=json"]);
    expect(await refusal(cluster.kubectlOfOperator(attempt))).toContain(
      "this Secret is no copy of a MultiSecret, and secret-operator may not touch it: delete or rename it to make room",
    );
    expect(await cluster.kubectl(["get", ...at("foreign"), "--output=json"])).toBe(before);
  });

  it.for(Object.keys(copyLabels))("lets it put the label %s back, and not take it off", async (label) => {
    const input = secret("copy", { labels: { ...copyLabels, [label]: undefined } });
    await cluster.kubectl(["create", "--filename=-"], { input });
    await cluster.kubectlOfOperator(merge("copy", { metadata: { labels: copyLabels } }));
    const taken = cluster.kubectlOfOperator(merge("copy", { metadata: { labels: { [label]: null } } }));
    expect(await refusal(taken)).toContain("secret-operator may write only copies");
    await cluster.kubectlOfOperator(["delete", ...at("copy")]);
  });

  it.for(["kubernetes.io/service-account-token", "bootstrap.kubernetes.io/token"])(
    "refuses it to create a Secret of type %s",
    async (type) => {
      const annotations = { "kubernetes.io/service-account.name": "default" };
      const input = secret("token", { labels: copyLabels, annotations }, { type });
      expect(await refusal(cluster.kubectlOfOperator(["create", "--filename=-"], input))).toContain(
        `secret-operator may not write Secrets of type ${type}: choose another type`,
      );
    },
  );
});

describe("the operator between its fences", () => {
  it("goes about its work as its own account, and is refused nothing", async () => {
    const operator = await cluster.startOperator();
    const key = ["--namespace=home", "multisecret/worked"];
    const namespaceSelector = { matchExpressions: [{ key: byName, operator: "In", values: ["mine", "ours"] }] };
    const metadata = { name: "worked", namespace: home };
    const input = { apiVersion: "multi.ddnw.ml/v1alpha1", kind: "MultiSecret", metadata, spec: { namespaceSelector } };
    await cluster.kubectl(["create", "--filename=-"], { as: "author", input });
    await cluster.kubectl(["wait", ...key, "--for=condition=Ready", "--timeout=20s"]);
    const copy = ["secret", "worked.home.multisec", "--namespace=ours"];
    const label = () => cluster.kubectl(["get", ...copy, "--output=jsonpath={.metadata.labels}"]);
    const whole = await label();
    for (const each of Object.keys(copyLabels)) {
      await cluster.kubectl(["label", ...copy, `${each}-`]);
      await expect.poll(label, patience).toBe(whole);
    }
    const other = ["secret", "worked.home.multisec", "--namespace=mine"];
    await cluster.kubectl(["label", ...other, ...Object.keys(copyLabels).map((each) => `${each}-`)]);
    const reason = () => cluster.kubectl(["get", ...key, "--output=jsonpath={.status.conditions[0].reason}"]);
    await expect.poll(reason, patience).toBe("OwnershipConflict");
    await cluster.kubectl(["delete", ...key, "--timeout=20s"], { as: "author" });
    expect(await refusal(cluster.kubectl(["get", ...copy]))).toContain("NotFound");
    expect(await cluster.kubectl(["get", ...other])).toContain("worked.home.multisec");
    await operator.stop();
    expect(await cluster.refusedToOperator()).toEqual([]);
  });
});

describe("an overlay of config/default", () => {
  it("has the policies follow the account to whatever name and namespace it gives it", async () => {
    const rendered = await cluster.render({ namespace: "elsewhere", namePrefix: "acme-" });
    const found = ["policyName:", "paramRef:\\n    name:", "    namespace: elsewhere\\n    parameterNotFoundAction:"];
    const after = (text: string) => rendered.match(new RegExp(`(?<=${text} ).*`, "g"));
    expect(found.map(after)).toEqual([
      [
        "acme-secret-operator-copies-only",
        "acme-secret-operator-crd-first",
        "acme-secret-operator-multisecret-authors",
      ],
      ["acme-secret-operator-controller-manager", "multisecrets.multi.ddnw.ml"],
      ["Allow"],
    ]);
  });

  it("has a policy warn instead of refuse, until it is applied without that", async () => {
    const target = { kind: "ValidatingAdmissionPolicyBinding", name: "secret-operator-multisecret-authors" };
    const patch = JSON.stringify([{ op: "replace", path: "/spec/validationActions", value: ["Warn", "Audit"] }]);
    const input = {
      apiVersion: "multi.ddnw.ml/v1alpha1",
      kind: "MultiSecret",
      metadata: { name: "everywhere", namespace: home },
      spec: {},
    };
    const attempt = () =>
      refusal(cluster.kubectl(["create", "--dry-run=server", "--filename=-"], { as: "author", input }));
    await cluster.apply(await cluster.render({ patches: [{ target, patch }] }));
    await expect.poll(attempt, patience).toContain("created");
    await cluster.apply(await cluster.render({}));
    await expect.poll(attempt, patience).toContain("denied request: author may not create Secrets in all namespaces");
  });
});
