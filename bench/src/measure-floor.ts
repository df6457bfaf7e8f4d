import type { BareClient, Measured } from "./bare-client.ts";
import type { Creation } from "./scenario.ts";

/** How long the bare creates take, in seconds: nothing that does the same work can be faster. */
export async function measureFloor(client: BareClient, creations: readonly Creation[]): Promise<number> {
  const begin = performance.now();
  const made = await createAll(client, creations);
  const seconds = (performance.now() - begin) / 1_000;
  await Promise.all(made.map(({ path, name }) => client.call("DELETE", `${path}/${name}`)));
  return seconds;
}

/** Sends them all at once; the client's number of connections is the limit. */
export async function createAll(
  client: BareClient,
  creations: readonly Creation[],
): Promise<readonly { readonly path: string; readonly name: string }[]> {
  return Promise.all(
    creations.map(async ({ path, body }) => {
      const { metadata } = await client.call<Measured>("POST", path, body);
      return { path, name: metadata.name };
    }),
  );
}
