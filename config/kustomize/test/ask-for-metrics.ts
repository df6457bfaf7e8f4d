import { request } from "node:https";

export interface Answer {
  readonly code: number | undefined;
  readonly text: string;
}

/** Asks the manager for its metrics. Its certificate is its own, so nobody can vouch for it. */
export function askForMetrics(port: number, token: string): Promise<Answer> {
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
