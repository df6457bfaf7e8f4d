import { writeFile } from "node:fs/promises";

export interface KubeconfigOptions {
  /** `https://host:port` */
  readonly server: string;
  /** PEM. */
  readonly ca: string;
  readonly token: string;
  /** The user's name in the file. */
  readonly user: string;
}

/** Writes a kubeconfig that holds all it needs, and that only the user may read. */
export async function writeKubeconfig(path: string, { server, ca, token, user }: KubeconfigOptions): Promise<void> {
  const text = `apiVersion: v1
kind: Config
clusters:
  - name: trimtab
    cluster:
      server: ${server}
      certificate-authority-data: ${Buffer.from(ca).toString("base64")}
users:
  - name: ${user}
    user:
      token: ${token}
contexts:
  - name: trimtab
    context:
      cluster: trimtab
      user: ${user}
current-context: trimtab
`;
  await writeFile(path, text, { mode: 0o600 });
}
