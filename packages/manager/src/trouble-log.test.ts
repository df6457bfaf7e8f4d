import { ConfigMap } from "@trimtab/apimachinery";
import type { InformerHealth } from "@trimtab/cache";
import { ApiError } from "@trimtab/client";
import pino from "pino";
import { beforeEach, describe, expect, it } from "vitest";
import { troubleLog } from "./trouble-log.ts";

const report = { type: ConfigMap, synced: true, sinceMs: 0, silentMs: 0 };
const alive: InformerHealth = { ...report, state: "alive" };

function failing(error: Error): InformerHealth {
  return { ...report, state: "failing", error };
}

describe("troubleLog", () => {
  let lines: { readonly level: string; readonly msg: string }[];
  let tell: (health: InformerHealth) => void;
  beforeEach(() => {
    lines = [];
    const formatters = { level: (level: string) => ({ level }) };
    tell = troubleLog(pino({ formatters }, { write: (line) => lines.push(JSON.parse(line)) }));
  });

  it("calls what a person has to mend an error", () => {
    tell(failing(new ApiError("no such kind", { reason: "NotFound", statusCode: 404 })));
    tell(alive);
    expect(lines).toMatchObject([
      { level: "error", resource: "configmaps" },
      { level: "info", msg: "the watch is well again" },
    ]);
  });

  it("only warns where the API server asks for another try, as while a CRD is made again", () => {
    tell(failing(new ApiError("storage is (re)initializing", { reason: "TooManyRequests", statusCode: 429 })));
    tell(alive);
    expect(lines).toMatchObject([
      { level: "warn", msg: "cannot watch configmaps: [TooManyRequests] storage is (re)initializing" },
      { level: "info", msg: "the watch is well again" },
    ]);
  });
});
