import { type CustomResourceType, customResource, k } from "@trimtab/crd";

export const Kettle: CustomResourceType = customResource({
  group: "kitchen.example.com",
  version: "v1",
  kind: "Kettle",
  spec: k.object({}),
  status: k.object({}),
});
