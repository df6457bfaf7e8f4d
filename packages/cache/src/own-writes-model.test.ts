import type { ConfigMap } from "@trimtab/apimachinery";
import { ApiError } from "@trimtab/client";
import { describe, expect, it } from "vitest";
import { versionsOf } from "../test/config-map.ts";
import { hurriedPace, InformerUnderTest } from "../test/informer-under-test.ts";
import { isSelected, ModelServer } from "../test/model-server.ts";
import { Random } from "../test/random.ts";
import type { ScriptedWatch } from "../test/scripted-client.ts";
import type { ObjectEvent } from "./object-event.ts";

const names = ["a", "b"];
const expired = new ApiError("too old", { reason: "Expired", statusCode: 410 });

/** An answer to a write of this process that is still under way, and then one that has arrived. */
interface Answer {
  readonly object: ConfigMap;
  readonly deleted: boolean;
}

/** A server, a process that writes to it beside others, and an informer that sees it all late. */
class Interleaving {
  readonly #random: Random;
  readonly #selective: boolean;
  readonly #server = new ModelServer();
  readonly #test: InformerUnderTest;
  readonly #underWay: Answer[] = [];
  readonly #arrived: Answer[] = [];
  readonly #told = new Map<string, ConfigMap>();
  #watch: ScriptedWatch | undefined;
  /** How far the watch has come. */
  #seen = 10;

  constructor(seed: number) {
    this.#random = new Random(seed);
    this.#selective = seed % 2 === 1;
    this.#test = new InformerUnderTest(this.#selective ? { labelSelector: { matchLabels: { selected: "yes" } } } : {}, {
      ...hurriedPace,
      secondMs: 0,
    });
    this.#test.informer.onEvent((event) => this.#hear(event));
  }

  async run(steps: number): Promise<void> {
    this.#watch = await this.#test.synced("10");
    for (let step = 0; step < steps; step++) {
      await this.#step();
      this.#check();
    }
    await this.#comeToRest();
  }

  async #step(): Promise<void> {
    const choice = this.#random.next();
    if (choice < 0.25) this.#write(true);
    else if (choice < 0.45) this.#write(false);
    else if (choice < 0.65) this.#answer();
    else if (choice < 0.9) await this.#show();
    else if (choice < 0.96) await this.#bookmark();
    else await this.#listAgain();
  }

  #write(own: boolean): void {
    const name = names[this.#random.below(names.length)] ?? "a";
    const deleted = this.#random.chance(0.35);
    const selected = !this.#selective || this.#random.chance(0.7);
    const object = deleted ? this.#server.delete(name) : this.#server.write(name, selected);
    if (own && object !== undefined) this.#underWay.push({ object, deleted });
  }

  /** Answers overtake each other. */
  #answer(): void {
    const [answer] = this.#underWay.splice(this.#random.below(this.#underWay.length), 1);
    if (answer === undefined) return;
    this.#arrived.push(answer);
    const { namespace, name, uid } = answer.object.metadata;
    if (answer.deleted) this.#test.informer.deleted({ namespace: namespace ?? "", name }, uid);
    else this.#test.informer.wrote(answer.object);
  }

  async #show(): Promise<void> {
    const commit = this.#server.commits.find(({ version }) => version > this.#seen);
    if (commit === undefined) return;
    const { object, gone } = commit;
    const before = this.#server.at(object.metadata.name, commit.version - 1);
    const was = before !== undefined && this.#selects(before);
    const is = !gone && this.#selects(object);
    if (is) this.#watch?.send({ type: was ? "MODIFIED" : "ADDED", object: structuredClone(object) });
    else if (was) this.#watch?.deleted(structuredClone(object));
    this.#seen = commit.version;
    await this.#test.news();
  }

  async #bookmark(): Promise<void> {
    this.#watch?.bookmark(String(this.#seen));
    await this.#test.news();
  }

  async #listAgain(): Promise<void> {
    this.#watch?.fail(expired);
    this.#watch = await this.#test.server.watch();
    this.#seen += this.#random.below(this.#server.version - this.#seen + 1);
    const objects = this.#server.all(this.#seen).filter((object) => this.#selects(object));
    this.#watch
      .open()
      .added(...structuredClone(objects))
      .bookmark(String(this.#seen), true);
    await this.#test.news();
  }

  #selects(object: ConfigMap): boolean {
    return !this.#selective || isSelected(object);
  }

  #hear(event: ObjectEvent<ConfigMap>): void {
    const { name } = event.object.metadata;
    const told = this.#told.get(name);
    if (event.type === "updated") expect(event.previous).toBe(told);
    if (event.type === "added") expect(told).toBeUndefined();
    // What only this process knew of may go without ever having been told.
    if (event.type === "deleted" && told === undefined) expect(this.#isOwn(event.object)).toBe(true);
    if (event.type === "deleted") this.#told.delete(name);
    else this.#told.set(name, event.object);
  }

  #isOwn({ metadata }: ConfigMap): boolean {
    return this.#arrived.some(({ object }) => object.metadata.resourceVersion === metadata.resourceVersion);
  }

  #check(): void {
    for (const name of names) {
      const read = this.#test.informer.get({ namespace: "team", name });
      for (const answer of this.#arrived) {
        if (answer.object.metadata.name === name) this.#checkAgainst(answer, read);
      }
    }
  }

  #checkAgainst({ object, deleted }: Answer, read: ConfigMap | undefined): void {
    const { name, uid, resourceVersion } = object.metadata;
    if (deleted && read?.metadata.uid === uid) throw new Error(`${name} came back after it was deleted`);
    if (deleted) return;
    if (read === undefined && !this.#hasLeft(name, Number(resourceVersion))) throw new Error(`${name} is missing`);
    if (read !== undefined && Number(read.metadata.resourceVersion) < Number(resourceVersion)) {
      throw new Error(`${name} is older than what was written`);
    }
  }

  /** Whether the watch has come to, or this process has made, a later change by which it may be missing. */
  #hasLeft(name: string, version: number): boolean {
    return this.#server.commits.some(
      (commit) =>
        commit.object.metadata.name === name &&
        commit.version >= version &&
        (commit.gone || !this.#selects(commit.object)) &&
        (commit.version <= this.#seen || this.#isOwn(commit.object)),
    );
  }

  async #comeToRest(): Promise<void> {
    while (this.#underWay.length > 0) this.#answer();
    while (this.#seen < this.#server.version) {
      await this.#show();
      this.#check();
    }
    await this.#bookmark();
    const expected = versionsOf(this.#server.all().filter((object) => this.#selects(object)));
    expect(versionsOf(this.#test.informer.list({}))).toEqual(expected);
    expect(versionsOf(this.#told.values())).toEqual(expected);
  }
}

describe("Informer with own writes", () => {
  it("never reads older than what was written, tells each change once, and ends as the server is", {
    timeout: 60_000,
  }, async () => {
    // Odd seeds have a label selector, which writes enter and leave.
    for (let seed = 0; seed < 150; seed++) {
      await new Interleaving(seed).run(80).catch((cause) => {
        throw new Error(`interleaving ${seed} failed`, { cause });
      });
    }
  });
});
