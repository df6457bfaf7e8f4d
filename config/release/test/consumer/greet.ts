import { execFileSync } from "node:child_process";
import { startControlPlane, startOperator } from "@trimtab/envtest";

/** What somebody who has installed the packages does: an operator of their own, on a control plane of their own. */
const controlPlane = await startControlPlane();
try {
  const kubectl = (...args: readonly string[]): string => {
    const [program = "", ...leading] = controlPlane.kubectl;
    const flags = [`--kubeconfig=${controlPlane.kubeconfigPath}`];
    return execFileSync(program, [...leading, ...flags, ...args], { encoding: "utf8" });
  };
  kubectl("apply", "--server-side", "-f", "config/crd/bases");
  kubectl("wait", "--for=condition=Established", "crd/greetings.example.com");
  const operator = await startOperator({
    main: new URL("src/main.ts", import.meta.url).pathname,
    kubeconfigPath: controlPlane.kubeconfigPath,
  });
  kubectl("apply", "-f", "config/samples/greeting.yaml");
  kubectl("wait", "--for=condition=Ready", "greeting/world");
  const greeting = kubectl("get", "configmap", "world", "-o", "jsonpath={.data.greeting}");
  const end = await operator.stop();
  console.log(JSON.stringify({ greeting, end, kubectl: controlPlane.kubectl }));
} finally {
  await controlPlane.stop();
}
