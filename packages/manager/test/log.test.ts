import { Secret } from "@trimtab/apimachinery";
import { describe, expect } from "vitest";
import { it } from "./toy.ts";

describe("the log of an operator", () => {
  it("is a JSON object a line, whose fields say what it is about", async ({ playground }) => {
    const toy = await playground.start();
    await playground.ask("one");
    const line = await toy.said(/^copied$/);
    expect(line).toEqual({
      level: "info",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      msg: "copied",
      controller: "configmap",
      namespace: playground.namespace,
      name: "one",
      reconcileID: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it("tells an error with its causes, without what they quote of a Secret", async ({ playground }) => {
    const toy = await playground.start();
    await playground.ask("one", "quoteSecret");
    const { err } = await toy.said(/reconcile failed/);
    expect(err).toMatchObject({
      type: "Error",
      message: 'cannot copy: Secret "x" is invalid: data[password]: Invalid value: (not shown): too short',
      cause: { message: expect.stringContaining("Invalid value: (not shown)") },
    });
    expect((await toy.process.log()).join("\n")).not.toContain("hunter2");
  });

  it("holds nothing of a Secret that the API server refuses", async ({ playground }) => {
    const toy = await playground.start();
    await playground.ask("one", "makeBadSecret");
    expect(await toy.said(/reconcile failed/)).toMatchObject({ err: { reason: "Invalid", statusCode: 422 } });
    expect((await toy.process.log()).join("\n")).not.toContain("hunter2");
  });

  it("says nothing of a Secret while all is well, at any level", async ({ playground }) => {
    const toy = await playground.start({ flags: ["--log-level=trace"] });
    await playground.ask("one");
    await playground.copied("one");
    const { data } = await playground.client.get(Secret, { name: "one", namespace: playground.namespace });
    expect((await toy.process.log()).join("\n")).not.toContain(data?.["of"]);
  });
});
