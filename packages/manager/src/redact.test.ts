import { describe, expect, it } from "vitest";
import { redact } from "./redact.ts";

describe("redact", () => {
  it.for([
    [
      'Secret "x" is invalid: data[a]: Invalid value: "hunter2": too short',
      'Secret "x" is invalid: data[a]: Invalid value: (not shown): too short',
    ],
    [
      'a: Invalid value: "hun\\"ter2": no, b: Duplicate value: "hunter2"',
      "a: Invalid value: (not shown): no, b: Duplicate value: (not shown)",
    ],
    [
      'type: Unsupported value: "hunter2": supported values: "A", "B"',
      'type: Unsupported value: (not shown): supported values: "A", "B"',
    ],
    ['spec: Invalid value: {"password":"hunter2","of":{"it":1}}: must not', "spec: Invalid value: (not shown)"],
    ["spec: Invalid value: hunter2: must not", "spec: Invalid value: (not shown)"],
    ["spec.key: Invalid value: 12hunter2: must not", "spec.key: Invalid value: (not shown)"],
    [
      'decode: illegal base64, error found in #10 byte of ...|"a":"hunter2"|..., bigger context ...|hunter2|...',
      "decode: illegal base64, error found in #10 byte of (not shown)",
    ],
    ["Unexpected token 'h', \"hunter2\" is not valid JSON", "Unexpected token 'h', (not shown)"],
  ])("leaves out what %j quotes", ([message, redacted]) => {
    expect(redact(message as string)).toBe(redacted);
  });

  it.for([
    'spec.size: Invalid value: "integer": spec.size in body should be greater than or equal to 0',
    "spec.size: Invalid value: -1: must be positive",
    "spec.on: Invalid value: true: must be off",
    'pods "a" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1',
    "GET /api/v1/secrets: connect ECONNREFUSED 127.0.0.1:6443",
  ])("keeps what tells what to do: %j", (message) => {
    expect(redact(message)).toBe(message);
  });
});
