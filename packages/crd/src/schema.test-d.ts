import type { LabelSelector } from "@trimtab/apimachinery";
import { conditions, k, type ReadOf, type WrittenOf } from "./index.ts";

const spec = k.object({
  size: k.int32().default(1).describe("x"),
  name: k.string(),
  note: k.string().optional(),
  at: k.listMap(k.object({ name: k.string(), port: k.int32() }), ["name"]).optional(),
  level: k.oneOf("low", "high"),
  nested: k.object({ port: k.int32().default(1) }).default({}),
});

const readable: ReadOf<typeof spec> = { size: 1, name: "a", level: "low", nested: { port: 1 } };
const writable: WrittenOf<typeof spec> = { name: "a", level: "high" };
const port: number = readable.nested.port;
// @ts-expect-error a default makes size certain once read
const lacking: ReadOf<typeof spec> = { name: "a", level: "low", nested: { port: 1 } };
// @ts-expect-error undefined is not the same as absent
const undef: ReadOf<typeof spec> = { ...readable, note: undefined };
// @ts-expect-error only these two levels
const level: WrittenOf<typeof spec> = { name: "a", level: "middle" };
// @ts-expect-error what was read is not written to
readable.name = "b";
// @ts-expect-error a default is already optional to write
k.int32().default(1).optional();
// @ts-expect-error a default is of the field's type
k.int32().default("1");
// @ts-expect-error list-map keys must be fields of the item
k.listMap(k.object({ name: k.string() }), ["nmae"]);
// @ts-expect-error a set holds scalars
k.set(k.object({ name: k.string() }));
// @ts-expect-error a choice has at least one value
k.oneOf();

const data: Readonly<Record<string, string>> = {} as ReadOf<ReturnType<typeof k.map<string, string>>>;
const selector: LabelSelector = {} as ReadOf<ReturnType<typeof k.labelSelector>>;
const ready = conditions("Ready", "Degraded");
const type: "Ready" | "Degraded" | undefined = ({} as NonNullable<ReadOf<typeof ready>>)[0]?.type;
void [port, writable, lacking, undef, level, data, selector, type];
