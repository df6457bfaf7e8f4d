import type { CustomResourceType } from "@trimtab/crd";
import type { Grant } from "./grant.ts";
import type { RoleOptions } from "./role-manifest.ts";

type Persona = "admin" | "editor" | "viewer";

/** What of a kind its roles are made of. */
interface Kind extends Pick<CustomResourceType, "group" | "kind" | "plural" | "scope"> {
  readonly confidential: boolean;
  readonly status: boolean;
  readonly scale: boolean;
}

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
  const kinds = Map.groupBy(types, ({ plural, group }) => `${plural}.${group}`);
  return Array.from(kinds.values(), kindOf).flatMap((kind) => personas.map((persona) => personaRole(kind, persona)));
}

/** A kind has what any of its versions has. */
function kindOf(versions: readonly CustomResourceType[]): Kind {
  const [{ group, kind, plural, scope }] = versions as [CustomResourceType];
  return {
    ...{ group, kind, plural, scope },
    confidential: versions.some(({ confidential }) => confidential),
    status: versions.some(({ schema }) => schema.status !== undefined),
    scale: versions.some(({ scale }) => scale !== undefined),
  };
}

function personaRole(kind: Kind, persona: Persona): PersonaRole {
  const name = kind.kind.toLowerCase();
  const builtIn = builtInRoleOf(kind, persona);
  return {
    fileName: `${name}_${persona}_role.yaml`,
    kind: "ClusterRole",
    name: `${name}-${persona}-role`,
    ...(builtIn !== undefined && { labels: { [`rbac.authorization.k8s.io/aggregate-to-${builtIn}`]: "true" } }),
    comment: commentOf(kind, builtIn),
    grants: personaGrants(kind, persona),
  };
}

function commentOf({ kind }: Kind, builtIn: string | undefined): string {
  return builtIn === undefined
    ? `For people, to be bound by hand: a ${kind} is confidential, and whoever may view a namespace may not read its secrets.`
    : `For people: added to the role ${builtIn}.`;
}

function builtInRoleOf({ confidential }: Kind, persona: Persona): string | undefined {
  if (persona === "admin") return "admin";
  if (persona === "editor") return "edit";
  return confidential ? undefined : "view";
}

function personaGrants({ group, plural: resource, scope, status, scale }: Kind, persona: Persona): readonly Grant[] {
  const grant = (verb: Grant["verb"], subresource?: string): Grant => ({
    ...{ verb, group, resource, scope },
    ...(subresource !== undefined && { subresource }),
  });
  const writes = persona === "viewer" ? [] : (["update", "patch"] as const);
  return [
    ...(persona === "admin" ? [grant("*")] : reading.map((verb) => grant(verb))),
    ...(persona === "editor" ? (["create", "delete", ...writes] as const).map((verb) => grant(verb)) : []),
    ...(status ? [grant("get", "status")] : []),
    ...(scale ? (["get", ...writes] as const).map((verb) => grant(verb, "scale")) : []),
  ];
}
