import type { ResourceType } from "@trimtab/apimachinery";
import type { ApiRequest } from "./api-request.ts";
import type { Client } from "./client.ts";
import { statusVerb } from "./write-status.ts";

/** A method of the client; a patch of a subresource names that too. */
export type ClientCall = Exclude<keyof Client, "close"> | "patch/status" | "patch/scale";

/** What an RBAC rule grants: a verb on a kind of object, or on a subresource of it. */
export type Right = Pick<ApiRequest, "verb" | "group" | "resource" | "subresource">;

/** The rights that a call may need, whatever it meets: an `apply` looks for the object, and creates or patches it. */
export function rightsOf({ group, plural: resource }: ResourceType, call: ClientCall): readonly Right[] {
  const onObject = (verb: Right["verb"]) => ({ verb, group, resource });
  const on = (subresource: string, verb: Right["verb"]) => ({ verb, group, resource, subresource });
  switch (call) {
    case "apply":
      return [onObject("get"), onObject("create"), onObject("patch")];
    case "removeFinalizer":
      return [onObject("get"), onObject("patch")];
    case "addFinalizer":
    case "mergePatch":
    case "patch":
      return [onObject("patch")];
    case "applyStatus":
      return [on("status", statusVerb({ group }))];
    case "updateStatus":
      return [on("status", "update")];
    case "patch/scale":
      return [on("scale", "patch")];
    case "patch/status":
      return [on("status", "patch")];
    case "create":
    case "delete":
    case "get":
    case "list":
    case "update":
    case "watch":
      return [onObject(call)];
  }
}

/** Tells whether a request stays within some rights. */
export class Rights {
  readonly #granted: ReadonlySet<string>;

  constructor(rights: readonly Right[]) {
    this.#granted = new Set(rights.map(nameOf));
  }

  allow(asked: Right): boolean {
    return this.#granted.has(nameOf(asked));
  }
}

function nameOf({ verb, group, resource, subresource = "" }: Right): string {
  return `${verb} ${resource}.${group}/${subresource}`;
}
