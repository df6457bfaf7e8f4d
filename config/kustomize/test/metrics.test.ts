import { request } from "node:https";
import { freePort } from "@trimtab/envtest";
import { describe, expect, it } from "vitest";
import { useCluster } from "./cluster.ts";
import { operators } from "./operators.ts";

const cluster = useCluster();

interface Answer {
  readonly code: number | undefined;
  readonly text: string;
}

/** Asks the manager for its metrics. Its certificate is its own, so nobody can vouch for it. */
function askForMetrics(port: number, token: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const options = { host: "127.0.0.1", port, path: "/metrics", headers, rejectUnauthorized: false };
    const asked = request(options, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ code: response.statusCode, text: Buffer.concat(chunks).toString() });
    });
    asked.on("error", reject);
    asked.end();
  });
}

describe.for(operators)("metrics of %s, installed", (operator) => {
  it("are for those whom metrics-reader is bound to, and for nobody else", async () => {
    await cluster().install(operator);
    const port = await freePort();
    await cluster().startOperator(operator, `--metrics-bind-address=127.0.0.1:${port}`);
    const account = async (name: string, ...roles: readonly string[]) => {
      const inNamespace = `--namespace=${operator}-system`;
      await cluster().kubectl("create", "serviceaccount", name, inNamespace);
      const subject = `--serviceaccount=${operator}-system:${name}`;
      for (const role of roles)
        await cluster().kubectl(
          "create",
          "clusterrolebinding",
          `${operator}-${name}`,
          `--clusterrole=${role}`,
          subject,
        );
      return (await cluster().kubectl("create", "token", name, inNamespace)).trim();
    };
    const scraper = await account("prometheus", `${operator}-metrics-reader`);
    const stranger = await account("stranger");

    expect((await askForMetrics(port, stranger)).code).toBe(403);
    expect((await askForMetrics(port, "nobody's")).code).toBe(401);
    expect(await askForMetrics(port, scraper)).toMatchObject({
      code: 200,
      text: expect.stringContaining("controller_runtime_active_workers"),
    });
    await cluster().stopOperators();
  });
});
