import { isDeleting, Secret } from "@trimtab/apimachinery";
import { type Client, ignoreNotFound } from "@trimtab/client";
import { MultiSecret } from "./kinds.ts";
import { type Act, stageNamespace, stageNamespaces } from "./story.ts";

const name = "multisecret-sample";
const sample = "examples/demo/manifests/multisecret.yaml";
const broken = "trimtab-demo-blue";
const unchosen = "trimtab-demo-green";

interface View {
  readonly multiSecret: MultiSecret | undefined;
  /** By namespace. */
  readonly copies: ReadonlyMap<string, Secret>;
}

async function copyIn(client: Client, namespace: string, signal: AbortSignal): Promise<Secret | undefined> {
  const { items } = await client.list(Secret, { namespace, signal });
  return items.find((secret) => secret.metadata.name.startsWith(`${name}.`) && !isDeleting(secret));
}

/** Of each copy, where it is and what it holds. */
const passwords = [
  ...["secrets", "-A", `--field-selector=metadata.name=${name}.${stageNamespace}.multisec`],
  ...["-o", "custom-columns=NAMESPACE:.metadata.namespace,PASSWORD:.data.password"],
];

/** What is lacking until there is a copy in `count` namespaces, each with this password. */
function lacksCopies({ multiSecret, copies }: View, count: number, password: string): string | undefined {
  if (copies.size !== count) return `${copies.size} of ${count} copies are there`;
  const wrong = [...copies].find(([, { data }]) => data?.["password"] !== Buffer.from(password).toString("base64"));
  if (wrong !== undefined) return `the copy in ${wrong[0]} has another password`;
  const created = multiSecret?.status?.created;
  return created === count ? undefined : `status.created is ${created}`;
}

function nameIn({ copies }: View, namespace: string): string {
  const copy = copies.get(namespace);
  if (copy === undefined) throw new Error(`there is no copy in ${namespace}`);
  return copy.metadata.name;
}

export const multiSecretAct: Act<View> = {
  title: "MultiSecret: one secret, a copy in every chosen namespace",
  sample,
  operator: "secret-operator",
  look: async (client, signal) => {
    const [multiSecret, ...found] = await Promise.all([
      ignoreNotFound(client.get(MultiSecret, { namespace: stageNamespace, name }, { signal })),
      ...stageNamespaces.map((namespace) => copyIn(client, namespace, signal)),
    ]);
    const copies = found.flatMap((copy, i) => (copy === undefined ? [] : [[stageNamespaces[i] ?? "", copy] as const]));
    return { multiSecret, copies: new Map(copies) };
  },
  steps: [
    {
      claim: "a copy in each of the three chosen namespaces",
      command: () => ["apply", "-f", sample],
      lacks: (now) => lacksCopies(now, 3, "first"),
      show: [["multisecret"], ["secrets"], passwords],
    },
    {
      claim: "a namespace that is made later gets its copy",
      command: () => ["apply", "-f", "examples/demo/manifests/late-namespace.yaml"],
      lacks: (now) => lacksCopies(now, 4, "first"),
      show: [["multisecret"]],
    },
    {
      claim: "a copy edited by hand is put back",
      command: (before) => [
        ...["-n", broken, "patch", "secret", nameIn(before, broken)],
        '-p={"stringData":{"password":"guessed"}}',
      ],
      lacks: (now) => lacksCopies(now, 4, "first"),
      show: [passwords],
    },
    {
      claim: "a copy deleted by hand comes back",
      command: (before) => ["-n", broken, "delete", "secret", nameIn(before, broken)],
      lacks: (now, before) => {
        const same = now.copies.get(broken)?.metadata.uid === before.copies.get(broken)?.metadata.uid;
        return same ? "the copy is still the old one" : lacksCopies(now, 4, "first");
      },
      show: [["-n", broken, "secrets"]],
    },
    {
      claim: "a new password reaches every copy",
      command: () => ["patch", "multisecret", name, "--type=merge", '-p={"spec":{"stringData":{"password":"second"}}}'],
      lacks: (now) => lacksCopies(now, 4, "second"),
      show: [passwords],
    },
    {
      claim: "a namespace no longer chosen loses its copy",
      command: () => ["label", "namespace", unchosen, "copies-"],
      lacks: (now) => (now.copies.has(unchosen) ? `${unchosen} has its copy still` : lacksCopies(now, 3, "second")),
      show: [["multisecret"]],
    },
    {
      claim: "deleted: no copy is left in any namespace",
      command: () => ["delete", "multisecret", name],
      lacks: (now) => {
        if (now.multiSecret !== undefined) return "the MultiSecret is still there";
        return now.copies.size === 0 ? undefined : `copies are left in ${[...now.copies.keys()].join(", ")}`;
      },
      show: [["multisecret,secrets"]],
    },
  ],
};
