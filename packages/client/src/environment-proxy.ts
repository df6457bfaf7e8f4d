import { BlockList, isIP } from "node:net";

type Environment = Readonly<Record<string, string | undefined>>;

/** Addresses of this machine, which nothing reaches by a proxy. */
const loopback: BlockList = new BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

/**
 * The proxy by which the environment wants an `https:` server reached, as a URL; `undefined` for none (client-go's
 * `http.ProxyFromEnvironment`): `HTTPS_PROXY`, unless the server is this machine, or `NO_PROXY` lists it. That holds, with
 * commas between them, `*` for all, addresses, CIDRs, and domains, which stand for what is beneath them too; `.domain`
 * stands for that alone. But for a CIDR, each may end in `:port`. The names may be in lower case.
 */
export function environmentProxy(server: string, env: Environment): string | undefined {
  const { protocol, hostname, port } = new URL(server);
  const proxy = env["HTTPS_PROXY"] || env["https_proxy"];
  if (!proxy || protocol !== "https:") return undefined;
  const host = hostname.replace(/^\[|\]$/g, "").toLowerCase();
  if (host === "localhost" || isWithin(loopback, host)) return undefined;
  const exempt = (env["NO_PROXY"] || env["no_proxy"] || "").split(",").map((entry) => entry.trim().toLowerCase());
  if (exempt.some((entry) => entry !== "" && isExempt(host, port || "443", entry))) return undefined;
  return proxy.includes("://") ? proxy : `http://${proxy}`;
}

function isExempt(host: string, port: string, entry: string): boolean {
  if (entry === "*") return true;
  if (entry.includes("/")) return isWithin(subnet(entry), host);
  const [, name = entry, onPort = port] =
    /^\[?(.*?)\]?(?::(\d+))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry) ?? [];
  if (onPort !== port) return false;
  const domain = name.replace(/^\*\./, ".");
  return domain.startsWith(".") ? host.endsWith(domain) : host === domain || host.endsWith(`.${domain}`);
}

/** Of no addresses where the CIDR is none. */
function subnet(cidr: string): BlockList {
  const [, address = "", length = ""] = /^([^/%]+)\/(\d+)$/.exec(cidr) ?? [];
  const family = isIP(address);
  const block = new BlockList();
  if (family !== 0 && Number(length) <= (family === 4 ? 32 : 128))
    block.addSubnet(address, Number(length), family === 4 ? "ipv4" : "ipv6");
  return block;
}

function isWithin(block: BlockList, host: string): boolean {
  const family = isIP(host);
  return family !== 0 && block.check(host, family === 4 ? "ipv4" : "ipv6");
}
