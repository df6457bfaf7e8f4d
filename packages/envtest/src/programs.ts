/** What the release and its tests need of this package; no user gets it. */
export { buildPrograms } from "./built-programs.ts";
export { readControlPlaneModule } from "./control-plane-module.ts";
export { findPrograms } from "./find-programs.ts";
export { goArchitecture, type Platform, thisPlatform } from "./platform.ts";
export { platformPackage } from "./platform-package.ts";
export { type Programs, programNames } from "./program-name.ts";
export { downloadPrograms, releaseSites } from "./released-programs.ts";
