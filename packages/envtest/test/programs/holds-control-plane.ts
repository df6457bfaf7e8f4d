import { startControlPlane } from "@trimtab/envtest";

/** Says where its control plane is, and holds it until it is ended. */
const { kubeconfigPath } = await startControlPlane();
process.stdout.write(`${kubeconfigPath}\n`);
setInterval(() => {}, 60_000);
