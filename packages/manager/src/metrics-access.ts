import type { KubeObject, ResourceType } from "@trimtab/apimachinery";
import type { Client } from "@trimtab/client";

interface TokenReview extends KubeObject {
  readonly spec: { readonly token: string };
  readonly status?: {
    readonly authenticated?: boolean;
    readonly user?: { readonly username?: string; readonly uid?: string; readonly groups?: readonly string[] };
  };
}
const TokenReview: ResourceType<TokenReview> = {
  group: "authentication.k8s.io",
  version: "v1",
  kind: "TokenReview",
  plural: "tokenreviews",
  scope: "Cluster",
};

interface SubjectAccessReview extends KubeObject {
  readonly spec: {
    readonly user?: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly nonResourceAttributes: { readonly path: string; readonly verb: string };
  };
  readonly status?: { readonly allowed?: boolean };
}
const SubjectAccessReview: ResourceType<SubjectAccessReview> = {
  group: "authorization.k8s.io",
  version: "v1",
  kind: "SubjectAccessReview",
  plural: "subjectaccessreviews",
  scope: "Cluster",
};

/** 200: go on; 401: the token is nobody's; 403: whose it is may not. */
export type Access = 200 | 401 | 403;

/** Scrapers come every few seconds; what was taken from them takes effect within a minute (as in controller-runtime). */
const rememberMs = 60_000;
const mostRemembered = 256;

/** Asks the API server whether the bearer of a token may `get /metrics` (TokenReview and SubjectAccessReview). */
export class MetricsAccess {
  readonly #client: Client;
  readonly #known = new Map<string, { readonly access: Promise<Access>; readonly untilMs: number }>();

  constructor(client: Client) {
    this.#client = client;
  }

  async of(authorization: string | undefined, signal: AbortSignal): Promise<Access> {
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
    if (token === undefined) return 401;
    const now = performance.now();
    const known = this.#known.get(token);
    if (known !== undefined && known.untilMs > now) return known.access;
    const access = this.#ask(token, signal);
    this.#known.set(token, { access, untilMs: now + rememberMs });
    access.catch(() => this.#known.delete(token));
    const [oldest] = this.#known.keys();
    if (this.#known.size > mostRemembered && oldest !== undefined) this.#known.delete(oldest);
    return access;
  }

  async #ask(token: string, signal: AbortSignal): Promise<Access> {
    const review = { metadata: {}, spec: { token } };
    const { status } = await this.#client.create(TokenReview, review, { signal });
    const user = status?.user;
    if (status?.authenticated !== true || user === undefined) return 401;
    const question = {
      metadata: {},
      spec: {
        ...(user.username !== undefined && { user: user.username }),
        ...(user.uid !== undefined && { uid: user.uid }),
        ...(user.groups !== undefined && { groups: user.groups }),
        nonResourceAttributes: { path: "/metrics", verb: "get" },
      },
    };
    const answer = await this.#client.create(SubjectAccessReview, question, { signal });
    return answer.status?.allowed === true ? 200 : 403;
  }
}
