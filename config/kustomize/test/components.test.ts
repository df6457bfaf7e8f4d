import type { Deployment } from "@trimtab/apimachinery";
import { describe, expect, it } from "vitest";
import { identityOf, type Manifest, onlyOne } from "./manifest.ts";
import { componentPath, operators, pathOf } from "./operators.ts";
import { overlayOf } from "./readme.ts";
import { type OverlayOptions, render, withOverlay } from "./render.ts";

function rendered(overlay: OverlayOptions): Promise<readonly Manifest[]> {
  return withOverlay(overlay, render);
}

describe.for(operators)("an overlay of %s", (operator) => {
  const resources = [pathOf(operator, "config/default")];

  it("with two-replicas has two, apart, of which one may be evicted at a time", async () => {
    const manifests = await rendered({ resources, components: [componentPath("two-replicas")] });
    const deployment = onlyOne<Deployment & Manifest>(manifests, "Deployment");
    expect(deployment.spec?.replicas).toBe(2);
    const constraints = deployment.spec?.template.spec?.topologySpreadConstraints ?? [];
    expect(constraints.map(({ topologyKey }) => topologyKey)).toEqual([
      "kubernetes.io/hostname",
      "topology.kubernetes.io/zone",
    ]);
    for (const { labelSelector } of constraints) expect(labelSelector).toEqual(deployment.spec?.selector);

    const budget = onlyOne(manifests, "PodDisruptionBudget");
    expect(identityOf(budget)).toBe(`PodDisruptionBudget ${operator}-system/${operator}-controller-manager`);
    expect(budget.spec).toMatchObject({ maxUnavailable: 1, selector: deployment.spec?.selector });
  });

  it("with prometheus has its metrics scraped by its Service, over TLS", async () => {
    const manifests = await rendered({ resources, components: [pathOf(operator, "config/prometheus")] });
    const monitor = onlyOne<Manifest & Monitor>(manifests, "ServiceMonitor");
    const service = onlyOne<Manifest & Service>(manifests, "Service");
    const name = `${operator}-system/${operator}-controller-manager-metrics-service`;
    expect(identityOf(monitor)).toBe(`ServiceMonitor ${name}`);
    expect(service.metadata.labels).toMatchObject(monitor.spec.selector.matchLabels);
    expect(monitor.spec.endpoints).toMatchObject([{ scheme: "https", path: "/metrics" }]);
    expect(service.spec.ports.map((port) => port.name)).toEqual(monitor.spec.endpoints.map(({ port }) => port));
  });

  it("is what the README's example renders to", async () => {
    const manifests = await rendered(overlayOf(operator));
    expect(JSON.stringify(manifests)).toContain(`"image":"registry.example.com/${operator}:`);
    expect(manifests.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["PodDisruptionBudget", "ServiceMonitor"]),
    );
  });

  it("may take both, and runs the image that it names", async () => {
    const components = [componentPath("two-replicas"), pathOf(operator, "config/prometheus")];
    const images = [
      { name: operator, newName: `registry.example.com/${operator}`, digest: `sha256:${"0".repeat(64)}` },
    ];
    const manifests = await rendered({ resources, components, images });
    const base = await render(pathOf(operator, "config/default"));
    expect(manifests.map(identityOf)).toEqual(expect.arrayContaining(base.map(identityOf)));
    expect(manifests).toHaveLength(base.length + 2);
    expect(JSON.stringify(manifests)).toContain(`"image":"registry.example.com/${operator}@sha256:000`);
  });
});

interface Monitor {
  readonly spec: {
    readonly selector: { readonly matchLabels: object };
    readonly endpoints: readonly { readonly port: string }[];
  };
}

interface Service {
  readonly spec: { readonly ports: readonly { readonly name: string }[] };
}
