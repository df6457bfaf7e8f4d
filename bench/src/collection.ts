import type { BareClient, Measured } from "./bare-client.ts";

/** What a collection holds, kept up to date by a watch, with a count of the changes seen. */
export class Collection {
  readonly objects: Map<string, Measured> = new Map();
  /** Each change is one write that was not a no-op. */
  changes = 0;

  static async open(
    client: BareClient,
    path: string,
    signal: AbortSignal,
    onChange: (object: Measured, type: string) => void,
  ): Promise<Collection> {
    const list = await client.call<{ items: Measured[]; metadata: { resourceVersion: string } }>("GET", path);
    const collection = new Collection();
    for (const object of list.items) collection.objects.set(object.metadata.uid, object);
    client.watch(path, list.metadata.resourceVersion, signal, ({ type, object }) => {
      collection.changes += 1;
      if (type === "DELETED") collection.objects.delete(object.metadata.uid);
      else collection.objects.set(object.metadata.uid, object);
      onChange(object, type);
    });
    return collection;
  }
}
