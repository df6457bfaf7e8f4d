import { formatSelector, type ResourceType } from "@trimtab/apimachinery";
import type { Right } from "@trimtab/client";
import { accessOf, type WatchDefinition } from "@trimtab/controller";
import { eventAccess } from "@trimtab/events";
import type { Operator } from "@trimtab/manager";

/** A right as it is to be given. */
export interface Grant extends Omit<Right, "verb"> {
  readonly verb: Right["verb"] | "*";
  readonly scope: ResourceType["scope"];
  /** The objects that it is about. @default all of the kind */
  readonly resourceNames?: readonly string[];
  /** Why it is needed, where one would wonder; a line of text. */
  readonly why?: string;
}

const whyFinalizers =
  "Where OwnerReferencesPermissionEnforcement is on, as in OpenShift: for owner references that block the owner's deletion.";

/** All that an operator asks for on behalf of its controllers: what they declare, and Events about it. */
export function grantsOf({ controllers }: Operator): readonly Grant[] {
  const watches = controllers.flatMap((controller) => controller.watches);
  const declared = controllers.flatMap(accessOf).map((right) => grantOf(right, watches));
  return [...declared, ...eventAccess.map((right): Grant => ({ ...right, scope: "Namespaced" }))];
}

function grantOf(right: Right, watches: readonly WatchDefinition[]): Grant {
  const about = watches.filter(({ type }) => type.group === right.group && type.plural === right.resource);
  const why = right.subresource === "finalizers" ? whyFinalizers : right.subresource ? undefined : whyAll(about);
  return { ...right, scope: about[0]?.type.scope ?? "Namespaced", ...(why !== undefined && { why }) };
}

/** RBAC knows no labels: what is read of a kind is less than what may be. */
function whyAll(watches: readonly WatchDefinition[]): string | undefined {
  const selectors = new Set(watches.map(({ labelSelector }) => labelSelector && formatSelector(labelSelector)));
  const [selector, ...others] = selectors;
  if (selector === undefined || others.length > 0) return undefined;
  return `Only those labelled ${selector} are watched, but RBAC knows no labels.`;
}
