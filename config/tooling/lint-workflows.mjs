import { existsSync, rmSync } from "node:fs";
import { run } from "./run.mjs";

const actionlint = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12";
const zizmor = "zizmor==1.32.0";
const folder = `node_modules/.trimtab/${zizmor}`;

/** Checks .github, which nothing here can run: by actionlint for what is wrong, by zizmor for what is unsafe. */
export async function lintWorkflows(options) {
  const env = { ...options.env, GOFLAGS: "", GOWORK: "off" };
  await run(["go", "run", actionlint, "-shellcheck=", "-pyflakes="], {
    ...options,
    env,
    advice: "actionlint is brought and run by Go (https://go.dev/dl).",
  });
  await bringZizmor(options);
  await run([`${folder}/bin/zizmor`, "--offline", "--no-progress", "--quiet", ".github"], {
    ...options,
    advice: "https://docs.zizmor.sh/audits says what each finding means.",
  });
}

async function bringZizmor(options) {
  if (existsSync(`${folder}/bin/zizmor`)) return;
  const pip = ["python3", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"];
  try {
    await run([...pip, `--target=${folder}`, zizmor], {
      ...options,
      advice: "zizmor is brought by Python 3 and its pip.",
    });
  } catch (error) {
    // What was broken off must not be taken for the whole.
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}
