import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, it } from "vitest";
import { type ControlPlane, startControlPlane } from "./control-plane.ts";
import { type Role, readRoles } from "./role.ts";
import { type RoleRight, rightName, rightsOfRoles, withoutRight } from "./role-right.ts";
import { type RoleScenario, type RoleTrial, startRoleTrial } from "./role-trial.ts";

export interface ProveRolesOptions {
  /** The operator's `main.ts`. */
  readonly main: string;
  /** Where its CRDs are, for `kubectl apply`. */
  readonly crds: string;
  /** YAML files of roles: all that the operator has. */
  readonly roles: readonly string[];
  readonly scenario: RoleScenario;
}

const execute = promisify(execFile);
/** Events that are told again wait for ten seconds. */
const patience = { timeout: 50_000, interval: 400 };

/**
 * Tests of an operator's roles, to be called where `describe` may be: that they grant all that the operator does and nothing
 * that it never does, and that without any one right the operator is refused something, and says so.
 *
 * They run on a control plane of their own, which needs every right: its API server cannot begin a watch with what there is,
 * and guards owner references that block a deletion, as OpenShift's does.
 */
export async function proveRoles({ main, crds, roles: files, scenario }: ProveRolesOptions): Promise<void> {
  const roles = (await Promise.all(files.map(readRoles))).flat();
  let controlPlane: ControlPlane;
  beforeAll(async () => {
    controlPlane = await startControlPlane({
      featureGates: { WatchList: false },
      enableAdmissionPlugins: ["OwnerReferencesPermissionEnforcement"],
    });
    await install(controlPlane, crds);
  });
  afterAll(() => controlPlane.stop());
  const trial = (granted: readonly Role[]): Promise<RoleTrial> =>
    startRoleTrial({ controlPlane, main, roles: granted, scenario });

  describe.concurrent("the operator's roles", { timeout: 120_000 }, () => {
    it("allow all that the operator does, and nothing that it never does", async ({ expect, onTestFinished }) => {
      const whole = await trial(roles);
      onTestFinished(() => whole.end());
      await whole.played;
      const { sent, refused } = await whole.requests();
      expect([...refused]).toEqual([]);
      // Asked for by the admission plugin, which does not write that into the audit log.
      const granted = rightsOfRoles(roles).filter((right) => !isOfFinalizers(right));
      expect([...sent].sort()).toEqual(granted.map(rightName).sort());
    });

    it.for(rightsOfRoles(roles))("cannot do without $verb $resource", async (right, { expect, onTestFinished }) => {
      const lesser = await trial(withoutRight(roles, right));
      onTestFinished(() => lesser.end());
      await expect.poll(async () => [...(await lesser.requests()).refused], patience).not.toEqual([]);
      // Who may not hold back an owner's deletion may create nothing that does.
      const refusal = isOfFinalizers(right) ? expect.stringMatching(/^create /) : rightName(right);
      expect([...(await lesser.requests()).refused]).toEqual([refusal]);
      await expect.poll(() => lesser.said(), patience).toContain(complaintOf(right));
    });
  });
}

async function install({ kubectl, kubeconfigPath }: ControlPlane, crds: string): Promise<void> {
  const [program = "", ...leading] = kubectl;
  const run = (...args: readonly string[]): Promise<unknown> =>
    execute(program, [...leading, `--kubeconfig=${kubeconfigPath}`, ...args]);
  await run("apply", "--server-side", `--filename=${crds}`);
  await run("wait", "--for=condition=Established", "--timeout=30s", `--filename=${crds}`);
}

function isOfFinalizers({ resource }: RoleRight): boolean {
  return resource.endsWith("/finalizers");
}

/** What the operator says is missing, as it stands in a line of JSON. */
function complaintOf(right: RoleRight): string {
  if (isOfFinalizers(right)) return "may not hold back its owner's deletion";
  const { group, resource, verb } = right;
  return JSON.stringify(JSON.stringify({ apiGroups: [group], resources: [resource], verbs: [verb] })).slice(1, -1);
}
