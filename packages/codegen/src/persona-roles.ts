import type { CustomResourceType } from "@trimtab/crd";
import type { Grant } from "./grant.ts";
import type { RoleOptions } from "./role-manifest.ts";

type Persona = "admin" | "editor" | "viewer";

/** A role that people may have, and the file that it goes into. */
export interface PersonaRole extends RoleOptions {
  readonly fileName: string;
}

const personas: readonly Persona[] = ["admin", "editor", "viewer"];
const reading = ["get", "list", "watch"] as const;

/**
 * Three ClusterRoles for each kind, which the API server adds to its own roles `admin`, `edit` and `view`: whoever has one of
 * those in a namespace has this too (kubebuilder, pkg/plugins/golang/v4, scaffolds the like).
 */
export function personaRoles(types: readonly CustomResourceType[]): readonly PersonaRole[] {
  const kinds = new Map(types.map((type) => [`${type.plural}.${type.group}`, type]));
  return [...kinds.values()].flatMap((type) => personas.map((persona) => personaRole(type, persona)));
}

function personaRole(type: CustomResourceType, persona: Persona): PersonaRole {
  const kind = type.kind.toLowerCase();
  const builtIn = builtInRoleOf(type, persona);
  return {
    fileName: `${kind}_${persona}_role.yaml`,
    kind: "ClusterRole",
    name: `${kind}-${persona}-role`,
    ...(builtIn !== undefined && { labels: { [`rbac.authorization.k8s.io/aggregate-to-${builtIn}`]: "true" } }),
    comment: commentOf(type, builtIn),
    grants: personaGrants(type, persona),
  };
}

function commentOf({ kind }: CustomResourceType, builtIn: string | undefined): string {
  return builtIn === undefined
    ? `For people, to be bound by hand: a ${kind} is confidential, and whoever may view a namespace may not read its secrets.`
    : `For people: added to the role ${builtIn}.`;
}

function builtInRoleOf({ confidential = false }: CustomResourceType, persona: Persona): string | undefined {
  if (persona === "admin") return "admin";
  if (persona === "editor") return "edit";
  return confidential ? undefined : "view";
}

function personaGrants(type: CustomResourceType, persona: Persona): readonly Grant[] {
  const { group, plural: resource, scope } = type;
  const grant = (verb: Grant["verb"], subresource?: string): Grant => ({
    ...{ verb, group, resource, scope },
    ...(subresource !== undefined && { subresource }),
  });
  const writes = persona === "viewer" ? [] : (["update", "patch"] as const);
  return [
    ...(persona === "admin" ? [grant("*")] : reading.map((verb) => grant(verb))),
    ...(persona === "editor" ? (["create", "delete", ...writes] as const).map((verb) => grant(verb)) : []),
    ...(type.schema.status === undefined ? [] : [grant("get", "status")]),
    ...(type.scale === undefined ? [] : (["get", ...writes] as const).map((verb) => grant(verb, "scale"))),
  ];
}
