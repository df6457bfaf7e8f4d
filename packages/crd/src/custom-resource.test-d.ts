import type { KubeObject, ObjectOf, ResourceType } from "@trimtab/apimachinery";
import { conditions, customResource, customResourceDefinition, k } from "./index.ts";

const Kettle = customResource({
  group: "kitchen.example.com",
  version: "v1",
  kind: "Kettle",
  spec: k.object({ litres: k.int32().default(1) }),
  status: k.object({ temperatures: k.list(k.int32()), conditions: conditions("Hot") }),
});
type Kettle = ObjectOf<typeof Kettle>;

declare const kettle: Kettle;
const kind: "Kettle" = kettle.kind;
const apiVersion: "kitchen.example.com/v1" = kettle.apiVersion;
const litres: number = kettle.spec.litres;
const hot: "Hot" | undefined = kettle.status?.conditions?.[0]?.type;
// @ts-expect-error the status may be missing before the first reconcile
kettle.status.temperatures;
// @ts-expect-error no such field
kettle.spec.cups;

const type: ResourceType<Kettle> = Kettle;
const object: KubeObject = kettle;
customResourceDefinition(Kettle);
// @ts-expect-error a spec is there for certain, or has a default
customResource({ group: "a.b", version: "v1", kind: "K", spec: k.object({}).optional(), status: k.object({}) });

const Pan = customResource({ group: "kitchen.example.com", version: "v1", kind: "Pan", spec: k.object({}) });
declare const pan: ObjectOf<typeof Pan>;
// @ts-expect-error a kind without a status has none
pan.status?.temperatures;
customResourceDefinition(Kettle, Pan);
// @ts-expect-error there is at least one version
customResourceDefinition();
// @ts-expect-error a path begins with a dot
customResource({ group: "a.b", version: "v1", kind: "K", spec: k.object({}), selectableFields: ["spec.size"] });
void [kind, apiVersion, litres, hot, type, object];
