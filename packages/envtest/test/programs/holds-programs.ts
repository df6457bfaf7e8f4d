import { ProcessKeeper } from "../../src/process-keeper.ts";

/** Keeps two programs, one of which has a child of its own, until it is ended; each has the folder among its arguments. */
const keeper = await ProcessKeeper.start();
const follow = ["tail", "-f", `${keeper.directory}/parent.log`];
await keeper.run("parent", ["sh", "-c", `${follow.join(" ")} & wait`]);
await keeper.run("alone", follow);
process.stdout.write(`${keeper.directory}\n`);
setInterval(() => {}, 60_000);
