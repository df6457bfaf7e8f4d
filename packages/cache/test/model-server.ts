import type { ConfigMap } from "@trimtab/apimachinery";
import { configMap } from "./config-map.ts";

/** One commit to the model's etcd: the object as it is then, or as it was when it went. */
export interface Commit {
  readonly version: number;
  readonly object: ConfigMap;
  readonly gone: boolean;
}

/** What an API server holds of ConfigMaps, all that ever happened to them, and nothing of how one asks. */
export class ModelServer {
  readonly commits: Commit[] = [];
  #uids = 0;

  get version(): number {
    return this.commits.length + 10;
  }

  at(name: string, version: number = this.version): ConfigMap | undefined {
    const last = this.commits.findLast((each) => each.object.metadata.name === name && each.version <= version);
    return last === undefined || last.gone ? undefined : last.object;
  }

  all(version: number = this.version): readonly ConfigMap[] {
    const names = new Set(this.commits.map(({ object }) => object.metadata.name));
    return [...names].map((name) => this.at(name, version)).filter((object) => object !== undefined);
  }

  /** Creates or changes an object. */
  write(name: string, selected: boolean): ConfigMap {
    const uid = this.at(name)?.metadata.uid ?? `uid-${++this.#uids}`;
    return this.#commit(name, uid, selected, false);
  }

  delete(name: string): ConfigMap | undefined {
    const object = this.at(name);
    if (object === undefined) return undefined;
    return this.#commit(name, object.metadata.uid, isSelected(object), true);
  }

  #commit(name: string, uid: string, selected: boolean, gone: boolean): ConfigMap {
    const version = this.version + 1;
    const object = configMap(name, version, { uid, labels: selected ? { selected: "yes" } : {} });
    this.commits.push({ version, object, gone });
    return object;
  }
}

export function isSelected({ metadata }: ConfigMap): boolean {
  return metadata.labels?.["selected"] === "yes";
}
