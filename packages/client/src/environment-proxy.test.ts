import { describe, expect, it } from "vitest";
import { environmentProxy } from "./environment-proxy.ts";

const proxy = "http://proxy:3128";

function isProxied(server: string, noProxy: string): boolean {
  return environmentProxy(server, { HTTPS_PROXY: proxy, NO_PROXY: noProxy }) !== undefined;
}

describe("environmentProxy", () => {
  it.each([
    [{}, undefined],
    [{ HTTPS_PROXY: "" }, undefined],
    [{ HTTP_PROXY: proxy }, undefined],
    [{ HTTPS_PROXY: proxy }, proxy],
    [{ https_proxy: proxy }, proxy],
    [{ HTTPS_PROXY: "one:1", https_proxy: "two:2" }, "http://one:1"],
    [{ https_proxy: proxy, no_proxy: "*" }, undefined],
  ])("of %j is %j", (env, expected) => {
    expect(environmentProxy("https://api.example.com:6443", env)).toBe(expected);
  });

  it.each(["https://localhost:6443", "https://127.0.0.2", "https://[::1]:6443", "http://api.example.com"])(
    "is none for %s",
    (server) => {
      expect(isProxied(server, "")).toBe(false);
    },
  );

  it.each([
    ["https://api.example.com", "example.com"],
    ["https://api.example.com", "other, API.example.com"],
    ["https://api.example.com", ".example.com"],
    ["https://api.example.com", "*.example.com"],
    ["https://api.example.com:6443", "example.com:6443"],
    ["https://api.example.com", "example.com:443"],
    ["https://10.0.0.1", "10.0.0.1"],
    ["https://10.0.0.1:6443", "10.0.0.1:6443"],
    ["https://10.96.0.1", "10.0.0.0/8"],
    ["https://10.96.0.1", "0.0.0.0/0"],
    ["https://10.0.0.1", "10.0.0.1/32"],
    ["https://[fd00::1]", "fd00::1"],
    ["https://[fd00::1]:6443", "[fd00::1]:6443"],
    ["https://[fd00::1]", "fd00::/8"],
  ])("is none for %s where NO_PROXY lists %s", (server, noProxy) => {
    expect(isProxied(server, noProxy)).toBe(false);
  });

  it.each([
    ["https://example.com", ".example.com"],
    ["https://badexample.com", "example.com"],
    ["https://api.example.com:6443", "example.com:443"],
    ["https://10.0.0.1", "10.0.0.0/99"],
    ["https://10.0.0.1", "10.0.0.0/"],
    ["https://10.0.0.1", "10.0.0.0/-1"],
    ["https://10.0.0.1", "10.0.0.0/8.5"],
    ["https://10.0.0.1", "10.0.0.0/0x8"],
    ["https://10.0.0.1", "10.0.0.0/8/8"],
    ["https://[fd00::1]", "fd00::/129"],
    ["https://[fd00::1]", "fd00::/"],
    ["https://[fe80::1]", "fe80::1%eth0/64"],
    ["https://11.0.0.1", "10.0.0.0/8"],
    ["https://10.0.0.1", "not/a/cidr"],
    ["https://10.0.0.10", "10.0.0.1"],
    ["https://api.example.com", ",,"],
  ])("is one for %s where NO_PROXY lists %s", (server, noProxy) => {
    expect(isProxied(server, noProxy)).toBe(true);
  });
});
