import { Deployment, Namespace, Pod, Secret } from "@trimtab/apimachinery";
import { Widget } from "../test/widget.ts";
import { controllerFor, done, type EventHandler, enqueueRequests, type Reconcile } from "./index.ts";

controllerFor(Widget)
  .owns(Deployment)
  .complete(async (widget, { cache }) => {
    const own: Widget | undefined = cache.get(Widget, widget.metadata);
    const replicas: number | undefined = cache.get(Deployment, widget.metadata)?.spec?.replicas;
    // @ts-expect-error a Secret was not declared, so no informer holds it
    cache.get(Secret, widget.metadata);
    // @ts-expect-error nor was a Pod
    cache.list(Pod);
    void [own, replicas];
    return done();
  });

declare const readsPods: Reconcile<Widget, Widget | Pod>;
controllerFor(Widget).owns(Pod).complete(readsPods);
controllerFor(Widget).owns(Pod).owns(Deployment).complete(readsPods);
// @ts-expect-error the reconcile reads Pods, which the sentence does not declare
controllerFor(Widget).complete(readsPods);

controllerFor(Widget).watches(
  Namespace,
  enqueueRequests((namespace: Namespace, cache) => {
    // @ts-expect-error Secrets are not declared
    cache.list(Secret);
    void namespace.metadata.name;
    return cache.list(Widget).map(({ metadata }) => metadata);
  }),
);

declare const podsNode: EventHandler<Pod>;
// @ts-expect-error a handler of Pods is none of Deployments
controllerFor(Widget).watches(Deployment, podsNode);
