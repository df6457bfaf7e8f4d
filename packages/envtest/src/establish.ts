import { CustomResourceDefinition } from "@trimtab/apimachinery";
import type { Applied, Client } from "@trimtab/client";
import { WatchedObject } from "./watched-object.ts";

/** It takes milliseconds. */
const establishMs = 30_000;

/** Makes the API server know a kind. */
export async function establish(client: Client, crd: Applied<CustomResourceDefinition>): Promise<void> {
  const { metadata } = await client.apply(CustomResourceDefinition, crd);
  const definition = new WatchedObject(client, CustomResourceDefinition, { name: metadata.name });
  const isEstablished = ({ type, status }: { readonly type: string; readonly status: string }): boolean =>
    type === "Established" && status === "True";
  await definition.until(({ status }) => status?.conditions?.some(isEstablished) ?? false, establishMs);
}
