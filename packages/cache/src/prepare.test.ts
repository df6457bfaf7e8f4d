import type { ConfigMap } from "@trimtab/apimachinery";
import { describe, expect, it } from "vitest";
import { configMap } from "../test/config-map.ts";
import { copyToPrepare, prepareBy } from "./prepare.ts";

const managedFields = [{ manager: "mine", operation: "Apply" }, { manager: "kubectl" }, { manager: "mine" }] as const;

describe("prepareBy", () => {
  it("keeps the managedFields entries of one manager", () => {
    const prepare = prepareBy<ConfigMap>({ fieldManager: "mine", freeze: false });
    const prepared = prepare(configMap("a", 1, { managedFields }));
    expect(prepared.metadata.managedFields).toEqual([managedFields[0], managedFields[2]]);
  });

  it("keeps annotations, which others may read", () => {
    const annotations = { "kubectl.kubernetes.io/last-applied-configuration": "{}" };
    const prepare = prepareBy<ConfigMap>({ fieldManager: "mine", freeze: false });
    expect(prepare(configMap("a", 1, { annotations })).metadata.annotations).toEqual(annotations);
  });

  it("stores what transform makes of an object", () => {
    const cut = ({ data: _, ...rest }: ConfigMap): ConfigMap => rest;
    const prepare = prepareBy<ConfigMap>({ fieldManager: "mine", freeze: false, transform: cut });
    expect(prepare(configMap("a", 1))).not.toHaveProperty("data");
  });

  it("makes all of an object immutable where asked to", () => {
    const prepared = prepareBy<ConfigMap>({ fieldManager: "mine", freeze: true })(
      configMap("a", 1, { labels: { a: "b" } }),
    );
    expect(() => Object.assign(prepared.metadata.labels ?? {}, { a: "c" })).toThrow(TypeError);
    expect(() => Object.assign(prepared, { data: {} })).toThrow(TypeError);
  });

  it("leaves the original as it is where it is given a copy", () => {
    const original = configMap("a", 1, { managedFields });
    prepareBy<ConfigMap>({ fieldManager: "mine", freeze: false })(copyToPrepare(original, {}));
    expect(original.metadata.managedFields).toEqual(managedFields);
  });
});
