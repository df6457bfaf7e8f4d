import { parseEndpoint, relay } from "./relay.ts";
/**
 * What lives in a pod's network namespace as long as the pod does: relays given as FROM=TO, until it is ended.
 * It says so in one line once they all listen.
 */
for (const pair of process.argv.slice(2)) {
    const [from = "", to = ""] = pair.split("=");
    await relay(parseEndpoint(from), parseEndpoint(to));
}
console.log("listening");
