import { controllerOf, type KubeObject, type ResourceType } from "@trimtab/apimachinery";
import { adoptCreatedFields } from "./adopt-created-fields.ts";
import { ApiError, ignoreNotFound, isApiError } from "./api-error.ts";
import { planApply } from "./apply-plan.ts";
import type { Applied, ApplyOptions } from "./client.ts";
import { fieldSetOf, fieldsAnnotation } from "./field-set.ts";
import type { ObjectMemory } from "./object-memory.ts";
import { OwnershipConflictError } from "./ownership-conflict-error.ts";
import type { ResourceRequests } from "./resource-requests.ts";

export interface ApplyContext {
  readonly requests: ResourceRequests;
  readonly memory: ObjectMemory | undefined;
  readonly signal: AbortSignal | undefined;
}

/** `Client.apply`; the answer of each write is reported to the memory. */
export async function applyObject<T extends KubeObject>(
  context: ApplyContext,
  type: ResourceType<T>,
  object: Applied<T>,
  options: ApplyOptions<T>,
): Promise<T> {
  const { requests, memory, signal } = context;
  const desired = withFieldsAnnotation(object);
  const known = memory?.recall(type, object.metadata);
  const live = known ?? (await ignoreNotFound(requests.get(type, object.metadata, signal)));
  if (live !== undefined && live !== "absent") return applyTo(context, type, { live, desired, options });
  try {
    // Repeatable, because what a first try has created is found to be ours below.
    const created = await requests.create<T>(type, desired, { isRepeatable: true, signal });
    memory?.wrote(type, created);
    return created;
  } catch (error) {
    if (!isApiError(error, "AlreadyExists")) throw error;
    const found = await requests.get(type, object.metadata, signal);
    return applyTo(context, type, { live: found, desired, options });
  }
}

interface Application<T extends KubeObject> {
  readonly live: T;
  readonly desired: Applied<T>;
  readonly options: ApplyOptions<T>;
}

async function applyTo<T extends KubeObject>(
  context: ApplyContext,
  type: ResourceType<T>,
  { live, desired, options }: Application<T>,
): Promise<T> {
  const { requests, memory, signal } = context;
  const ours = options.ours ?? ((object) => hasControllerOf(desired, object));
  if (!ours(live)) throw new OwnershipConflictError(type, live);
  const plan = planApply(desired, live, requests.fieldManager);
  if (plan === "nothing") return live;
  if (plan === "adopt") {
    const adopted = await adoptCreatedFields(requests, type, live, signal);
    memory?.wrote(type, adopted);
  }
  const body = { ...desired, metadata: { ...desired.metadata, uid: live.metadata.uid } };
  const patch = { format: "apply-patch+yaml", body, isRepeatable: true, signal } as const;
  const applied = await requests.patch<T>(type, desired.metadata, patch).catch((error: unknown) => {
    throw isOfNamesake(error) ? conflictOf(error) : error;
  });
  memory?.wrote(type, applied);
  return applied;
}

/** Whether an object is refused because there is one with another UID: the API server answers a conflict only if none is. */
function isOfNamesake(error: unknown): error is ApiError {
  return isApiError(error, "Invalid") && (error.details.causes?.some(({ field }) => field === "metadata.uid") ?? false);
}

function conflictOf(cause: ApiError): ApiError {
  const { details, request } = cause;
  const message = "the object has been deleted and made anew since it was read";
  return new ApiError(message, { reason: "Conflict", statusCode: 409, details, request, cause });
}

function withFieldsAnnotation<T extends KubeObject>(object: Applied<T>): Applied<T> {
  const annotations = { ...object.metadata.annotations, [fieldsAnnotation]: fieldSetOf(object) };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

function hasControllerOf<T extends KubeObject>(desired: Applied<T>, live: T): boolean {
  const controller = desired.metadata.ownerReferences?.find((reference) => reference.controller === true);
  return controller === undefined || controllerOf(live)?.uid === controller.uid;
}
