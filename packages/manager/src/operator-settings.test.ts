import { describe, expect, it } from "vitest";
import { readSettings } from "./operator-settings.ts";

describe("readSettings", () => {
  it("has kubebuilder's defaults", () => {
    expect(readSettings([], {})).toEqual({ health: { port: 8081 }, leaderElect: false, logLevel: "info" });
  });

  it("reads flags with an equals sign or a space, and one dash or two", () => {
    const flags = [
      "--log-level",
      "debug",
      "-leader-elect",
      "--metrics-bind-address=[::1]:8443",
      "--metrics-secure=false",
    ];
    expect(readSettings([...flags, "--health-probe-bind-address=0", "--namespaces", "a, b,"], {})).toEqual({
      leaderElect: true,
      logLevel: "debug",
      metrics: { address: { host: "::1", port: 8443 }, secure: false },
      namespaces: ["a", "b"],
    });
  });

  it("reads each flag from the environment, after the flag, and WATCH_NAMESPACE after both", () => {
    const env = {
      TRIMTAB_LEADER_ELECT: "true",
      TRIMTAB_MAX_CONCURRENT_RECONCILES: "3",
      TRIMTAB_LOG_LEVEL: "warn",
      WATCH_NAMESPACE: "w",
    };
    expect(readSettings(["--log-level=error"], env)).toMatchObject({
      leaderElect: true,
      logLevel: "error",
      maxConcurrentReconciles: 3,
      namespaces: ["w"],
    });
    expect(readSettings([], { ...env, TRIMTAB_NAMESPACES: "t" }).namespaces).toEqual(["t"]);
    expect(readSettings(["--namespaces=f"], { ...env, TRIMTAB_NAMESPACES: "t" }).namespaces).toEqual(["f"]);
  });

  it("takes an empty WATCH_NAMESPACE for all, as operator-sdk does", () => {
    expect(readSettings([], { WATCH_NAMESPACE: "" }).namespaces).toBeUndefined();
  });

  it.for([
    ["--kubeconfg=x", "did you mean --kubeconfig?"],
    ["--namespace=x", "did you mean --namespaces?"],
    ["--leader-election", "did you mean --leader-elect?"],
    ["--zap-log-level=1", "--help lists all"],
  ])("knows what %s was meant to be", ([flag, hint]) => {
    expect(() => readSettings([flag as string], {})).toThrow(hint as string);
  });
});
