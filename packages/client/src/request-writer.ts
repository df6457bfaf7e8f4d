import type { Connection } from "./connection.ts";

export interface WrittenRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** JSON. */
  readonly body: string | undefined;
  readonly contentType: string | undefined;
}

type Headers = Readonly<Record<string, string>>;

/** Writes the requests of one client as HTTP/1.1 has them, in one piece: TLS makes one record of it. */
export class RequestWriter {
  readonly #connection: Connection;
  readonly #basePath: string;
  readonly #ownFields: string;
  #authentication: Headers | undefined;
  /** The fields that all requests have while `#authentication` holds. */
  #fields: string;

  constructor(connection: Connection, userAgent: string) {
    const { host, pathname } = new URL(connection.server);
    this.#connection = connection;
    this.#basePath = pathname.replace(/\/$/, "");
    this.#ownFields = fieldsOf({ host, accept: "application/json", "user-agent": userAgent });
    this.#fields = this.#ownFields;
  }

  /** @throws {TypeError} if a header or the path holds what HTTP does not allow there */
  async write({ method, path, body, contentType }: WrittenRequest, renew: boolean): Promise<string> {
    const authentication = await this.#connection.headers?.({ renew });
    if (authentication !== this.#authentication) {
      this.#fields = this.#ownFields + fieldsOf(authentication ?? {});
      this.#authentication = authentication;
    }
    if (!/^[!-~]+$/.test(path)) throw new TypeError("the path of a request must be of visible ASCII characters");
    const head = `${method} ${this.#basePath}${path} HTTP/1.1\r\n${this.#fields}`;
    if (body === undefined) return `${head}\r\n`;
    return `${head}content-type: ${contentType ?? "application/json"}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  }
}

function fieldsOf(headers: Headers): string {
  let fields = "";
  for (const name in headers) {
    const value = headers[name] ?? "";
    // The value is not quoted: it may be a token.
    if (!/^[\w-]+$/.test(name) || !/^[ -~\t]*$/.test(value))
      throw new TypeError(`the header ${name} must be of visible ASCII characters`);
    fields += `${name}: ${value}\r\n`;
  }
  return fields;
}
