import type { FieldMarker } from "./field-marker.ts";
import { structureMarkers } from "./structure-markers.ts";
import { valueMarkers } from "./value-markers.ts";

/** The markers of fields, by the name of a field of a custom resource. */
export const fieldMarkers: Readonly<Record<string, FieldMarker>> = { ...valueMarkers, ...structureMarkers };
