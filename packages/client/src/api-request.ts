/** What is asked of the API server, in the words in which RBAC grants it. */
export interface ApiRequest {
  readonly verb: "create" | "delete" | "get" | "list" | "patch" | "update" | "watch";
  readonly group: string;
  /** The plural, as in the URL. */
  readonly resource: string;
  readonly subresource?: string | undefined;
  /** None for a cluster-scoped kind, and for a list or watch of all namespaces. */
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

/** Such as `patch deployments.apps/status demo/web`. */
export function describeRequest({ verb, group, resource, subresource, namespace, name }: ApiRequest): string {
  const kind = group === "" ? resource : `${resource}.${group}`;
  const part = subresource === undefined ? "" : `/${subresource}`;
  const place = [namespace, name].filter((word) => word !== undefined).join("/");
  return `${verb} ${kind}${part}${place === "" ? "" : ` ${place}`}`;
}
