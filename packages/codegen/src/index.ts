export { crdFile, crdFiles } from "./crd-file.ts";
export { customResourceTypes } from "./custom-resource-types.ts";
export type { GeneratedFile } from "./generated-file.ts";
export type { FolderChange } from "./generated-folder.ts";
export { applyChanges, changesOf } from "./generated-folder.ts";
export { operatorOf } from "./operator-module.ts";
export { rbacFiles } from "./rbac-files.ts";
