import { createHash } from "node:crypto";
import type { KubeObject, ResourceType } from "@trimtab/apimachinery";
import type { Client } from "@trimtab/client";

/** Who asks, as far as authorizers want to know. */
interface Who {
  readonly user?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

interface TokenReview extends KubeObject {
  readonly spec: { readonly token: string };
  readonly status?: {
    readonly authenticated?: boolean;
    readonly user?: Omit<Who, "user"> & { readonly username?: string };
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
  readonly spec: Who & { readonly nonResourceAttributes: { readonly path: string; readonly verb: string } };
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
  /** By a digest of the token: this is no place to keep credentials. */
  readonly #known = new Map<string, { readonly access: Promise<Access>; readonly untilMs: number }>();

  constructor(client: Client) {
    this.#client = client;
  }

  async of(authorization: string | undefined, signal: AbortSignal): Promise<Access> {
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
    if (token === undefined) return 401;
    const digest = createHash("sha256").update(token).digest("base64");
    const now = performance.now();
    const known = this.#known.get(digest);
    if (known !== undefined && known.untilMs > now) return known.access;
    const access = this.#ask(token, signal);
    this.#known.delete(digest);
    this.#known.set(digest, { access, untilMs: now + rememberMs });
    access.catch(() => this.#known.delete(digest));
    const [oldest] = this.#known.keys();
    if (this.#known.size > mostRemembered && oldest !== undefined) this.#known.delete(oldest);
    return access;
  }

  async #ask(token: string, signal: AbortSignal): Promise<Access> {
    const review = { metadata: {}, spec: { token } };
    const { status } = await this.#client.create(TokenReview, review, { signal });
    if (status?.authenticated !== true || status.user === undefined) return 401;
    const { username, ...who } = status.user;
    const question = {
      metadata: {},
      spec: {
        ...who,
        ...(username !== undefined && { user: username }),
        nonResourceAttributes: { path: "/metrics", verb: "get" },
      },
    };
    const answer = await this.#client.create(SubjectAccessReview, question, { signal });
    return answer.status?.allowed === true ? 200 : 403;
  }
}
