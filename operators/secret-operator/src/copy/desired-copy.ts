import { keyOf, type Secret } from "@trimtab/apimachinery";
import type { Created } from "@trimtab/client";
import type { MultiSecret } from "../api/v1alpha1/multisecret.ts";
import { canonicalBase64, contentDigest } from "./content-digest.ts";
import { managerLabel, managerName, ownerNameAnnotation, ownerNamespaceAnnotation, ownerUidLabel } from "./copy.ts";
import { copyName } from "./copy-name.ts";
import { passedOn } from "./passed-on.ts";

/** What every copy of a MultiSecret is to be, wherever it is. */
export interface DesiredCopy {
  readonly name: string;
  readonly type: string;
  readonly data: Readonly<Record<string, string>>;
  readonly digest: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export function desiredCopy(multiSecret: MultiSecret): DesiredCopy {
  const { metadata, spec } = multiSecret;
  const { name, namespace = "", uid, labels, annotations } = metadata;
  const data = contentOf(spec);
  return {
    name: copyName(keyOf(multiSecret)),
    type: spec.type,
    data,
    digest: contentDigest(data),
    labels: { ...passedOn(labels), [managerLabel]: managerName, [ownerUidLabel]: uid },
    annotations: { ...passedOn(annotations), [ownerNameAnnotation]: name, [ownerNamespaceAnnotation]: namespace },
  };
}

/** `stringData` goes before `data`, as it does in a Secret. */
function contentOf({ data = {}, stringData = {} }: MultiSecret["spec"]): Readonly<Record<string, string>> {
  const bytes = Object.entries(data).map(([key, value]) => [key, canonicalBase64(value)]);
  const texts = Object.entries(stringData).map(([key, text]) => [key, Buffer.from(text).toString("base64")]);
  return Object.fromEntries([...bytes, ...texts]);
}

/** The copy as it is created in a namespace. */
export function secretFor({ name, type, data, labels, annotations }: DesiredCopy, namespace: string): Created<Secret> {
  return { metadata: { namespace, name, labels, annotations }, type, data };
}
