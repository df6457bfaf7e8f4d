import type { ResourceType } from "@trimtab/apimachinery";
import type { Applied } from "@trimtab/client";
import { Memcached } from "./memcached.ts";

declare const memcached: Memcached;
const kind: "Memcached" = memcached.kind;
const size: number = memcached.spec.size;
const image: string = memcached.spec.image;
const nodes: readonly string[] | undefined = memcached.status?.nodes;
const condition: "Ready" | "Available" | "Progressing" | undefined = memcached.status?.conditions?.[0]?.type;
// @ts-expect-error the status may be missing before the first reconcile
memcached.status.nodes;
// @ts-expect-error no such field
memcached.spec.replicas;
const type: ResourceType<Memcached> = Memcached;
const applied: Applied<Memcached> = { metadata: { name: "cache" }, spec: { size: 1 } };
void [kind, size, image, nodes, condition, type, applied];
