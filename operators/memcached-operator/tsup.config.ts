import { operator } from "@trimtab/tooling/tsup";

export default operator();
