import { describe, expect, it } from "vitest";
import { answerHealth, type HealthCheck } from "./health-check.ts";

const well: HealthCheck = { name: "ping", trouble: undefined };
const ill: HealthCheck = { name: "cache:pods", trouble: "not synced yet" };
const noted: HealthCheck = { name: "rule:1", trouble: undefined, note: "x may not create secrets" };

describe("answerHealth", () => {
  it("says ok where all is well, and no more", () => {
    expect(answerHealth([well], { endpoint: "healthz" })).toEqual({ statusCode: 200, body: "ok" });
  });

  it("lists each check as Kubernetes does, on demand", () => {
    expect(answerHealth([well, noted], { endpoint: "readyz", verbose: true })).toEqual({
      statusCode: 200,
      body: "[+]ping ok\n[+]rule:1 ok, but x may not create secrets\nreadyz check passed\n",
    });
  });

  it("lists each check where one fails, and why", () => {
    expect(answerHealth([well, ill], { endpoint: "readyz" })).toEqual({
      statusCode: 500,
      body: "[+]ping ok\n[-]cache:pods failed: not synced yet\nreadyz check failed\n",
    });
  });

  it("answers for one check alone", () => {
    expect(answerHealth([well, ill], { endpoint: "readyz", only: "ping" }).statusCode).toBe(200);
    expect(answerHealth([well, ill], { endpoint: "readyz", only: "cache:pods" }).statusCode).toBe(500);
    expect(answerHealth([well, ill], { endpoint: "readyz", only: "pong" }).statusCode).toBe(404);
  });

  it("leaves out what is excluded, and says where there is nothing to exclude", () => {
    const excluded = answerHealth([well, ill], { endpoint: "readyz", verbose: true, exclude: ["cache:pods", "pong"] });
    expect(excluded).toEqual({
      statusCode: 200,
      body: '[+]ping ok\n[+]cache:pods excluded: ok\nwarn: some health checks cannot be excluded: no matches for "pong"\nreadyz check passed\n',
    });
  });
});
