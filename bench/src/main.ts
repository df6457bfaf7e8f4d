import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Contender, ours } from "./contender.ts";
import { goMemcached } from "./go-contender.ts";
import { createAll, measureFloor } from "./measure-floor.ts";
import { measureLive } from "./measure-live.ts";
import { measureStart } from "./measure-start.ts";
import { formatTable, median, type Row } from "./report.ts";
import { memcachedScenario, multiSecretScenario, podsetScenario, type Scenario } from "./scenario.ts";
import { onStage } from "./stage.ts";

const usage = `npm run bench -- [options]
  --runs N       runs of each measurement, of which the median is shown (3)
  --only WORD    scenarios whose name holds the word
  --objects N    Memcacheds (500)
  --go           beside it, the same operator in Go with controller-runtime (builds it)
  --json FILE    where the figures go (bench/results/latest.json)`;

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "3" },
    only: { type: "string", default: "" },
    objects: { type: "string", default: "500" },
    go: { type: "boolean", default: false },
    json: { type: "string", default: resolve(import.meta.dirname, "../results/latest.json") },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}

const runs = Number(values.runs);
const rows: Row[] = [];
const objects = Number(values.objects);
await using scratch = await mkdtempDisposable(join(tmpdir(), "trimtab-bench-"));
const logPath = join(scratch.path, "operator.log");
const selected = (scenario: Scenario): boolean => scenario.name.toLowerCase().includes(values.only.toLowerCase());

async function compare(scenario: Scenario, contenders: readonly Contender[], live: boolean): Promise<void> {
  for (const contender of contenders) {
    const starts = [];
    for (let run = 1; run <= runs; run += 1) {
      console.error(`${scenario.name}: ${contender.name}, run ${run} of ${runs}`);
      starts.push(
        await onStage(scenario, async (controlPlane, client) => {
          await createAll(client, scenario.owners);
          const floorSeconds = await measureFloor(client, scenario.children);
          return { floorSeconds, ...(await measureStart(scenario, contender, controlPlane, client, logPath)) };
        }),
      );
    }
    const lives = [];
    for (let run = 1; live && run <= runs; run += 1) {
      console.error(`${scenario.name}: ${contender.name}, live, run ${run} of ${runs}`);
      lives.push(
        await onStage(scenario, (controlPlane, client) =>
          measureLive(scenario, contender, controlPlane, client, { perSecond: 50, logPath }),
        ),
      );
    }
    rows.push({ scenario: scenario.name, contender: contender.name, starts, lives });
  }
}

const memcached = memcachedScenario(objects);
if (selected(memcached)) {
  const go = values.go ? [await goMemcached(scratch.path)] : [];
  await compare(memcached, [ours(memcached.operator), ...go], true);
}
for (const scenario of [podsetScenario(100, 3), multiSecretScenario(300)].filter(selected)) {
  await compare(scenario, [ours(scenario.operator)], false);
}

console.log(formatTable(rows));
await mkdir(resolve(values.json, ".."), { recursive: true });
await writeFile(
  values.json,
  `${JSON.stringify({ date: new Date().toISOString(), runs, rows, median: rows.map(median) }, null, 2)}\n`,
);
console.log(`\nfigures of every run: ${values.json}`);
