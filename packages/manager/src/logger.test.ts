import { ApiError } from "@trimtab/client";
import { describe, expect, it } from "vitest";
import { createLogger } from "./logger.ts";
import { prettyStream } from "./pretty-stream.ts";

const refusal = new ApiError('POST /secrets: data[a]: Invalid value: "hunter2": no', {
  reason: "Invalid",
  statusCode: 422,
});

async function lines(): Promise<{ readonly log: Awaited<ReturnType<typeof createLogger>>; readonly said: string[] }> {
  const said: string[] = [];
  return { said, log: await createLogger({ level: "debug", format: "json" }, { write: (line) => said.push(line) }) };
}

describe("the logger", () => {
  it("writes levels as words, and neither process nor host", async () => {
    const { log, said } = await lines();
    log.warn({ name: "it" }, "careful");
    expect(JSON.parse(said[0] ?? "")).toEqual({ level: "warn", time: expect.any(String), name: "it", msg: "careful" });
  });

  it("tells an error, its stack and its causes, whatever the field is called", async () => {
    const { log, said } = await lines();
    const error = new TypeError("outer", { cause: new Error("inner", { cause: refusal }) });
    log.error({ err: error }, "failed");
    log.error({ error }, "failed");
    for (const line of said) {
      const { err, error: other } = JSON.parse(line);
      expect(err ?? other).toMatchObject({
        type: "TypeError",
        message: "outer",
        stack: expect.stringMatching(/^TypeError: outer\n {4}at /),
        cause: { message: "inner", cause: { type: "ApiError", reason: "Invalid", statusCode: 422 } },
      });
    }
  });

  it("does not quote what an error quotes, in whatever way it is logged", async () => {
    const { log, said } = await lines();
    log.error(refusal);
    log.error(refusal, refusal.message);
    log.error({ err: new AggregateError([refusal], refusal.message) }, refusal.message);
    log.error(refusal.message);
    log.error("because of %s", refusal.message);
    log.child({ controller: "c" }).error(new Error(refusal.message, { cause: refusal.message }));
    expect(said).toHaveLength(6);
    expect(said.join("")).not.toContain("hunter2");
    expect(said.join("").match(/not shown/g)?.length).toBeGreaterThan(6);
  });
});

describe("the pretty stream", () => {
  it("writes lines that a person can read, with why", () => {
    const written: string[] = [];
    const output = { isTTY: false, write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream;
    const line = {
      level: "warn",
      time: "2026-01-02T03:04:05.678Z",
      msg: "careful",
      name: "it",
      err: { message: "outer", cause: { message: "inner" } },
    };
    prettyStream(output).write(`${JSON.stringify(line)}\n`);
    expect(written.join("")).toBe("03:04:05.678 warn  careful name=it\n      outer\n      because: inner\n");
  });
});
