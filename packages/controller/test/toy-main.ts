import { loadConnection } from "@trimtab/client";
import { startToy } from "./toy.ts";

const [kubeconfig, namespace = "default"] = process.argv.slice(2);
startToy({ connection: await loadConnection({ kubeconfig, env: {} }), namespace });
