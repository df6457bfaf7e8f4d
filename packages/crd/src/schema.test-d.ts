import type { LabelSelector } from "@trimtab/apimachinery";
import { conditions, type EmbeddedResource, k, type ReadOf, type WrittenOf } from "./index.ts";

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
// @ts-expect-error a default has no fields that its object has not: the API server refuses what it would drop
k.object({ port: k.int32().optional() }).default({ prot: 1 });
// @ts-expect-error list-map keys must be fields of the item
k.listMap(k.object({ name: k.string() }), ["nmae"]);
// @ts-expect-error list-map keys are always there
k.listMap(k.object({ name: k.string().optional() }), ["name"]);
// @ts-expect-error list-map keys are scalars
k.listMap(k.object({ names: k.list(k.string()) }), ["names"]);
k.listMap(k.object({ name: k.string(), protocol: k.string().default("TCP") }), ["name", "protocol"], { maxItems: 9 });
// @ts-expect-error a set holds scalars
k.set(k.object({ name: k.string() }));
// @ts-expect-error no null is an item of a set
k.set(k.string().nullable());
// @ts-expect-error a choice has at least one value
k.oneOf();
// @ts-expect-error a choice is among values of one type
k.oneOf("a", 1);
// @ts-expect-error the API server ignores formats that it does not know
k.string({ format: "ip" });
// @ts-expect-error a list is written as a whole anyway
k.atomic(k.list(k.string()));

const size = k.oneOf(1, 2, 4);
const four: 1 | 2 | 4 = 4 as ReadOf<typeof size>;
// @ts-expect-error not a size
const three: WrittenOf<typeof size> = 3;

const maybe = k.object({ text: k.string().nullable(), more: k.string().nullable().default(null) });
const nothing: ReadOf<typeof maybe> = { text: null, more: null };
// @ts-expect-error what may be null is not certain to be a string
const text: string = nothing.text;
// @ts-expect-error what is not nullable is not null
k.string().default(null);

const choice = k.object({ a: k.string().optional(), b: k.string().optional(), c: k.int32() });
choice.exactlyOneOf("a", "b").immutable("a", "c").describe("it").atLeastOneOf("a", "b").rule("self.c > 1", "no");
// @ts-expect-error what is always there is no choice
choice.exactlyOneOf("a", "c");
// @ts-expect-error one alone is no choice
choice.atMostOneOf("a");
// @ts-expect-error no such field
choice.immutable("d");
// @ts-expect-error a string has no fields
k.string().immutable("length");
// @ts-expect-error what the API server gives as a reason is one of four
k.string().rule("self != ''", "no", { reason: "Invalid" });
// @ts-expect-error an example is a value of the field
k.int32().describe("a number", { example: "1" });

const open = k.openObject({ known: k.int32() });
const opened: WrittenOf<typeof open> = { known: 1, other: "x" };
const other: unknown = opened["other"];
// @ts-expect-error what is known is of its type
const wrong: WrittenOf<typeof open> = { known: "1" };

const manifest = k.embeddedResource({ data: k.map(k.string()) });
const embedded: ReadOf<typeof manifest> = { apiVersion: "v1", kind: "ConfigMap", data: { a: "b" } };
// @ts-expect-error a resource has a kind
const kindless: WrittenOf<typeof manifest> = { apiVersion: "v1", data: {} };
const anyResource: EmbeddedResource = {} as ReadOf<ReturnType<typeof k.embeddedResource>>;
const amount: number | string = {} as ReadOf<ReturnType<typeof k.quantity>>;
const value: unknown = {} as ReadOf<ReturnType<typeof k.json>>;

const data: Readonly<Record<string, string>> = {} as ReadOf<ReturnType<typeof k.map<string, string>>>;
const selector: LabelSelector = {} as ReadOf<ReturnType<typeof k.labelSelector>>;
const ready = conditions("Ready", "Degraded");
const type: "Ready" | "Degraded" | undefined = ({} as NonNullable<ReadOf<typeof ready>>)[0]?.type;
void [port, writable, lacking, undef, level, data, selector, type, four, three, text, other, wrong, embedded, kindless];
void [anyResource, amount, value];
