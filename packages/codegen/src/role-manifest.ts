import { Document, isMap, isScalar, isSeq, type YAMLMap } from "yaml";
import type { Grant } from "./grant.ts";
import { policyRules, resourceOf } from "./policy-rule.ts";

export interface RoleOptions {
  readonly kind: "ClusterRole" | "Role";
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** For whoever reads the file: a line of text. */
  readonly comment?: string;
  readonly grants: readonly Grant[];
}

/** A Role or ClusterRole as a YAML document, with a remark at each resource that one would wonder about. */
export function roleManifest({ kind, name, labels, comment, grants }: RoleOptions): string {
  const document = new Document(
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind,
      metadata: { name, ...(labels !== undefined && { labels }) },
      rules: policyRules(grants),
    },
    { aliasDuplicateObjects: false },
  );
  if (comment !== undefined && document.contents !== null) document.contents.commentBefore = ` ${comment}`;
  const rules = document.get("rules");
  for (const rule of isSeq(rules) ? rules.items : []) if (isMap(rule)) remark(rule, grants);
  return `---\n${document.toString({ lineWidth: 0 })}`;
}

function remark(rule: YAMLMap, grants: readonly Grant[]): void {
  const group = rule.getIn(["apiGroups", 0]);
  const resources = rule.get("resources");
  for (const resource of isSeq(resources) ? resources.items : []) {
    if (!isScalar(resource)) continue;
    const about = grants.find((grant) => grant.group === group && resourceOf(grant) === resource.value);
    if (about?.why !== undefined) resource.commentBefore = ` ${about.why}`;
  }
}
