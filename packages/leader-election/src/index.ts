export { LeaderElector } from "./leader-elector.ts";
export type { LeaderElectorOptions } from "./leader-elector.ts";
