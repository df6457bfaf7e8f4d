import type { KubeObject, ResourceType } from "@trimtab/apimachinery";

/** A kind of object whose CRD a test may or may not install. */
export interface Greeting extends KubeObject {
  readonly apiVersion: "toy.trimtab.example/v1";
  readonly kind: "Greeting";
  readonly spec: { readonly to: string };
}

export const Greeting: ResourceType<Greeting> = {
  group: "toy.trimtab.example",
  version: "v1",
  kind: "Greeting",
  plural: "greetings",
  scope: "Namespaced",
};
