import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CommandOptions, run } from "@trimtab/image";
import { linkMergedUsr } from "./merged-usr.ts";
import type { Storage } from "./storage.ts";

export const baseImage = "localhost/base:e2e";

/** What distroless' Node image has of Debian. */
const packages = ["libc6", "libstdc++6", "libgcc-s1", "ca-certificates", "tzdata"];

const containerfile = `FROM scratch
COPY root /
ENV PATH=/nodejs/bin SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt
WORKDIR /home/nonroot
USER 65532
ENTRYPOINT ["/nodejs/bin/node"]
`;

/** The file in which a base is kept that is made of all this, and of the Node that runs this. */
export function keptName(made: readonly string[]): string {
  const digest = createHash("sha256").update(made.join("\0")).digest("hex").slice(0, 12);
  return `base-${process.version}-${process.arch}-${digest}.tar`;
}

/**
 * Puts into `storage` an image like distroless' for Node, of Debian's packages and the Node that runs this; no registry
 * is asked. It is made once, and kept in the folder `cache`.
 */
export async function loadBaseImage(storage: Storage, cache: string, options: CommandOptions): Promise<void> {
  const kept = join(cache, keptName([containerfile, ...packages]));
  if (!existsSync(kept)) {
    const work = join(cache, `work-${process.pid}`);
    try {
      await assemble(work, options);
      await storage.buildah("build", "--timestamp=0", `--tag=${baseImage}`, work);
      await storage.buildah(
        "push",
        "--disable-compression",
        baseImage,
        `oci-archive:${join(work, "image")}:${baseImage}`,
      );
      await rename(join(work, "image"), kept);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  }
  await storage.buildah("pull", "--quiet", `oci-archive:${kept}`);
}

async function assemble(work: string, options: CommandOptions): Promise<void> {
  const root = join(work, "root");
  const downloads = join(work, "packages");
  for (const folder of [downloads, join(root, "nodejs/bin"), join(root, "home/nonroot"), join(root, "tmp")])
    await mkdir(folder, { recursive: true });
  await run(["apt-get", "download", ...packages], { ...options, directory: downloads });
  for (const name of await readdir(downloads))
    await run(["dpkg-deb", "--extract", join(downloads, name), root], options);
  await linkMergedUsr(root);
  for (const unread of ["usr/share/doc", "usr/share/man", "usr/share/lintian"])
    await rm(join(root, unread), { recursive: true, force: true });
  await bundleCertificates(root);
  await cp(process.execPath, join(root, "nodejs/bin/node"));
  await writeFile(
    join(root, "etc/passwd"),
    "root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n",
  );
  await writeFile(join(root, "etc/group"), "root:x:0:\nnonroot:x:65532:\n");
  await writeFile(join(work, "Containerfile"), containerfile);
}

/** As the package itself does when it is installed. */
async function bundleCertificates(root: string): Promise<void> {
  const folder = join(root, "usr/share/ca-certificates/mozilla");
  const names = (await readdir(folder)).toSorted();
  const certificates = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  await mkdir(join(root, "etc/ssl/certs"), { recursive: true });
  await writeFile(join(root, "etc/ssl/certs/ca-certificates.crt"), certificates.join(""));
}
