import { copyFileSync, cpSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { docker, findMirror, makeDebian, run } from "./engine.ts";
import { runTool } from "../redis/run-tool.ts";
import { findOnPath } from "../redis/obtain-redis-server.ts";

export const SUTURE_IMAGE = "suture:checked";
export const VALKEY_IMAGE = "valkey:checked";
const NODE_IMAGE = "node:checked";
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";
const PULL_TIMEOUT_MS = 300_000;

/** Stands for the official image of Node: Debian, Node, npm and the user `node`. */
const NODE = `FROM debian:checked
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
COPY ca-certificates.crt ${CERTIFICATES}
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && useradd --uid 1000 node
ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES}
`;

/** Stands for the official image of Valkey: its server, and a data folder of its user. */
const valkeyFrom = (mirror: string): string => `FROM debian:checked
RUN echo deb ${mirror} bookworm-backports main > /etc/apt/sources.list.d/backports.list \\
  && apt-get update \\
  && apt-get install --yes --no-install-recommends --target-release bookworm-backports valkey-server \\
  && install --directory --owner=999 --group=1000 /data
VOLUME /data
`;

/** Figures of the image that was built. */
export interface ImageFigures {
  /** Bytes of the base image. */
  readonly base: number;
  /** Bytes of all. */
  readonly whole: number;
  readonly buildMs: number;
  readonly isBasePulled: boolean;
}

/** Builds the image of `deploy/Dockerfile`, on the bases that it names or, where no registry answers, on Debian's. */
export async function buildImages(root: string, folder: string): Promise<ImageFigures> {
  const isBasePulled =
    (await pull("node:24-bookworm-slim", NODE_IMAGE)) && (await pull("valkey/valkey:8-alpine", VALKEY_IMAGE));
  if (!isBasePulled) await makeBases(folder);
  const startedMs = performance.now();
  const file = ["--file", join(root, "deploy/Dockerfile"), "--build-arg", `NODE_IMAGE=${NODE_IMAGE}`];
  await docker("build", "--quiet", "--network", "host", ...file, "--tag", SUTURE_IMAGE, root);
  const buildMs = performance.now() - startedMs;
  return { base: await sizeOf(NODE_IMAGE), whole: await sizeOf(SUTURE_IMAGE), buildMs, isBasePulled };
}

async function pull(name: string, tag: string): Promise<boolean> {
  const { isOk } = await runTool({
    command: "docker",
    args: ["pull", "--quiet", name],
    timeoutMs: PULL_TIMEOUT_MS,
  });
  if (isOk) await docker("tag", name, tag);
  return isOk;
}

async function makeBases(folder: string): Promise<void> {
  const debian = join(folder, "debian");
  const context = join(folder, "bases");
  await makeDebian(folder, debian);
  const archive = join(folder, "debian.tar");
  await run("tar", ["--create", "--file", archive, "--directory", debian, "."]);
  await docker("import", archive, "debian:checked");
  mkdirSync(context);
  copyFileSync(process.execPath, join(context, "node"));
  const npm = realpathSync(findOnPath("npm") ?? "");
  cpSync(dirname(dirname(npm)), join(context, "npm"), { recursive: true, dereference: true });
  copyFileSync(CERTIFICATES, join(context, "ca-certificates.crt"));
  for (const [tag, text] of [
    [NODE_IMAGE, NODE],
    [VALKEY_IMAGE, valkeyFrom(await findMirror())],
  ] as const) {
    writeFileSync(join(context, "Dockerfile"), text);
    await docker("build", "--quiet", "--network", "host", "--tag", tag, context);
  }
}

async function sizeOf(image: string): Promise<number> {
  return Number(await docker("image", "inspect", "--format", "{{.Size}}", image));
}
