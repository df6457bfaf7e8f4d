import { isApiError } from "@trimtab/client";
import { causesOf } from "./causes.ts";

/**
 * What the API server says when no RBAC rule allows a request. Its Status has no field that tells this from
 * what admission forbids (quotas, Pod security, webhooks), so the message has to
 * (k8s.io/apiserver pkg/endpoints/handlers/responsewriters/errors.go, forbiddenMessage).
 */
const notAllowed =
  /User "(?<user>[^"]*)" cannot (?<verb>\w+) resource "(?<resource>[^"]*)" in API group "(?<group>[^"]*)" (?:in the namespace "(?<namespace>[^"]*)"|at the cluster scope)/;

/**
 * What the admission plugin OwnerReferencesPermissionEnforcement says of an object whose owner must wait for it, in the name of
 * someone who has no say in the owner's deletion (k8s.io/kubernetes plugin/pkg/admission/gc/gc_admission.go). It does not name
 * the owner.
 */
const notBlocking = /(?<what>\S+ "[^"]*") is forbidden: cannot set blockOwnerDeletion .* you can't set finalizers on/;

/**
 * Says which RBAC rule to add, if the lack of one is what the error, or one that caused it, is about.
 *
 * @returns such as `system:serviceaccount:system:operator may not list deployments.apps at the cluster scope: grant it
 * {"apiGroups":["apps"],"resources":["deployments"],"verbs":["list"]} by a ClusterRole`
 */
export function missingRule(error: unknown): string | undefined {
  for (const cause of causesOf(error)) {
    if (!isApiError(cause, "Forbidden")) continue;
    const { what: blocking } = notBlocking.exec(cause.message)?.groups ?? {};
    if (blocking !== undefined)
      return `${blocking} may not hold back its owner's deletion: grant update on the finalizers of the owner's kind, {"resources":["<plural>/finalizers"],"verbs":["update"]}`;
    const { user, verb, resource, group, namespace } = notAllowed.exec(cause.message)?.groups ?? {};
    if (verb === undefined || resource === undefined || group === undefined) continue;
    const what = group === "" ? resource : `${resource}.${group}`;
    const where = namespace === undefined ? "at the cluster scope" : `in the namespace ${namespace}`;
    const rule = JSON.stringify({ apiGroups: [group], resources: [resource], verbs: [verb] });
    const by = namespace === undefined ? "by a ClusterRole" : "by a Role there";
    return `${user} may not ${verb} ${what} ${where}: grant it ${rule} ${by}`;
  }
  return undefined;
}
