import { library } from "@trimtab/tooling/tsup";

export default library({ entry: ["src/index.ts", "src/main.ts"] });
