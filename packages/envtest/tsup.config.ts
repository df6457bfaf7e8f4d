import { library } from "@trimtab/tooling/tsup";

export default library({
  // The last two are processes of their own, found by their names beside whatever starts them.
  entry: ["src/index.ts", "src/vitest.ts", "src/team.ts", "src/keeper.ts", "src/kubelet-main.ts"],
});
