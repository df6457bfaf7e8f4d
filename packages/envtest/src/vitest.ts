import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import { atMostEvery } from "./at-most-every.ts";
import type { AuditEvent } from "./audit-event.ts";
import { AuditLog } from "./audit-log.ts";
import { type ControlPlane, startControlPlane } from "./control-plane.ts";
import { readKubeconfig } from "./kubeconfig.ts";
import type { ProveRolesOptions } from "./prove-roles.ts";

export type { ProveRolesOptions } from "./prove-roles.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Of the control plane that all tests of a run share. */
    kubeconfigPath: string;
    /** The command that is kubectl, with its leading arguments. */
    kubectl: readonly string[];
    auditLogPath: string;
  }
}

let shared: ControlPlane | undefined;

/** For vitest's `globalSetup`: starts the control plane that all tests of a run share; a run that cannot have one fails. */
export async function setup(project: TestProject): Promise<void> {
  shared = await startControlPlane({ onProgress: atMostEvery(10_000, (line) => project.vitest.logger.log(line)) });
  project.provide("kubeconfigPath", shared.kubeconfigPath);
  project.provide("kubectl", shared.kubectl);
  project.provide("auditLogPath", shared.auditLogPath);
}

/** For vitest's `globalSetup`: ends it. */
export async function teardown(): Promise<void> {
  await shared?.stop();
}

let auditLog: AuditLog | undefined;

/** Requests to the shared control plane, as its audit log has them, oldest first: all that were answered before the call. */
export async function auditEvents(): Promise<readonly AuditEvent[]> {
  auditLog ??= new AuditLog(inject("auditLogPath"), await readKubeconfig(inject("kubeconfigPath")));
  return auditLog.events();
}

/** Makes a namespace in the shared control plane, and returns its name; the rest of a name begins with `prefix`. */
export async function testNamespace(prefix = "test"): Promise<string> {
  // Of use only where tests run: what starts the control plane is not to load, nor to need, a client.
  const [{ createClient, loadConnection }, { createNamespace }] = await Promise.all([
    import("@trimtab/client"),
    import("./namespace.ts"),
  ]);
  const connection = await loadConnection({ kubeconfig: inject("kubeconfigPath"), env: {} });
  const client = createClient({ connection, userAgent: "trimtab-envtest", fieldManager: "trimtab-envtest" });
  try {
    return await createNamespace(client, { prefix });
  } finally {
    client.close();
  }
}

/** See `ProveRolesOptions`. Of use only where tests run: what starts the control plane is not to load, nor to need, a client. */
export async function proveRoles(options: ProveRolesOptions): Promise<void> {
  return (await import("./prove-roles.ts")).proveRoles(options);
}
