import { library } from "@trimtab/tooling/tsup";

export default library();
