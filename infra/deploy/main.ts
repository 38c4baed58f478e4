// `npm run check:deploy`: builds the image on a real Docker that it brings along, brings the compose file up on a
// network without a way out, measures it, and runs the tests of tests/deploy against it, those of Kubernetes' manifests
// before. Leaves nothing behind.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { buildImages } from "./build-images.ts";
import {
  docker,
  HOST_ADDRESS,
  missingFor,
  run,
  runInside,
  startEngine,
  unpackEngine,
  useEngine,
} from "./engine.ts";
import { bringUp, compose, inspect } from "./stack.ts";

const root = join(import.meta.dirname, "../..");
/** In this order: the first expects that nothing has been done yet. */
const SUITES = ["tests/red-team", "tests/deploy/compose", "tests/deploy/outages", "tests/deploy/alerts"];
/** Exit code of a process that had to be killed. */
const KILLED = 137;
/** Exit code after Ctrl-C. */
const INTERRUPTED = 130;
const IDLE_MS = 30_000;
const TICKS_PER_SECOND = 100;
const MEBIBYTE = 1024 * 1024;
const say = (line: string): void => void process.stdout.write(`deploy: ${line}\n`);
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

async function checkDeploy(): Promise<void> {
  const missing = missingFor({ uid: process.getuid?.() });
  if (missing.length > 0) {
    process.stderr.write(`This check runs as root on Debian. Missing here: ${missing.join(", ")}.\n`);
    process.exitCode = 1;
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), "suture-deploy-"));
  const interrupted = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(name, () => interrupted.abort());
  const { signal } = interrupted;
  try {
    useEngine(folder);
    say("downloading Docker, Compose, debootstrap and kustomize");
    await unpackEngine(folder);
    await runTests("tests/deploy/kubernetes");
    for (const [stage, network] of [
      ["build", "host"],
      ["try", "own"],
    ] as const) {
      signal.throwIfAborted();
      await runInside([process.execPath, import.meta.filename, stage, folder], { network, signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    say("interrupted; removing what was made");
    process.exitCode = INTERRUPTED;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    for (const path of globSync(`/sys/fs/cgroup/**/${basename(folder)}`)) removeCgroup(path);
  }
}

/** Removes a group of processes that have ended, and those below it. */
function removeCgroup(path: string): void {
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (entry.isDirectory()) removeCgroup(join(path, entry.name));
  rmdirSync(path);
}

/** Builds the images, on the network of this machine. */
async function build(folder: string): Promise<void> {
  const stop = await startEngine(folder, "build");
  const { base, whole, buildMs, isBasePulled } = await buildImages(root, folder);
  const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
  const from = isBasePulled ? "the images that it names" : "Debian by debootstrap: no registry answers";
  say(
    `image: ${megabytes(whole - base)} on a base of ${megabytes(base)} (${from}), built in ${seconds(buildMs)}`,
  );
  await stop();
}

/** Brings all up, measures it, and runs the tests. */
async function tryOut(folder: string): Promise<void> {
  await run("ip", ["link", "set", "lo", "up"]);
  await run("ip", ["address", "add", `${HOST_ADDRESS}/32`, "dev", "lo"]);
  await startEngine(folder, "try");
  const startedMs = performance.now();
  const services = await bringUp();
  say(`start: ${services.length} containers healthy after ${seconds(performance.now() - startedMs)}`);
  const beforeMs = processorMs();
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const cores = ((processorMs() - beforeMs) / IDLE_MS).toFixed(2);
  say(`idle: ${cores} cores with health checks and engine, ${await memoryMebibytes()} MiB of memory`);
  for (const suite of SUITES) await runTests(suite);
  const stoppedMs = performance.now();
  await compose("stop");
  const ends = await Promise.all(
    services.map(async (name) => [name, (await inspect(name)).State.ExitCode] as const),
  );
  const killed = ends.filter(([, code]) => code === KILLED).map(([name]) => name);
  if (killed.length > 0) throw new Error(`Had to be killed when told to stop: ${killed.join(", ")}.`);
  say(`stop: all ended by themselves within ${seconds(performance.now() - stoppedMs)}`);
}

async function runTests(suite: string): Promise<void> {
  const vitest = [join(root, "node_modules/vitest/vitest.mjs"), "run", "--project", "deploy", suite];
  const ended = once(spawn(process.execPath, vitest, { stdio: "inherit", cwd: root }), "exit");
  const [code]: unknown[] = await ended;
  if (code !== 0) throw new Error(`Tests failed: ${suite}.`);
}

/** Processor time of everything that runs or has run in this process namespace, in ms. */
function processorMs(): number {
  const ticks = globSync("/proc/[0-9]*/stat").map((path) => {
    const stat = readIfThere(path);
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // Own and of children that have been waited for: user, system, user, system.
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  });
  return (ticks.reduce((sum, one) => sum + one, 0) / TICKS_PER_SECOND) * 1000;
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

async function memoryMebibytes(): Promise<string> {
  const factors: Readonly<Record<string, number>> = { B: 1, KiB: 1024, MiB: MEBIBYTE, GiB: 1024 * MEBIBYTE };
  const used = (await docker("stats", "--no-stream", "--format", "{{.MemUsage}}")).trim().split("\n");
  const bytes = used.map((line) => {
    const [, count = "0", unit = "B"] = /^([\d.]+)(\w+)/.exec(line) ?? [];
    return Number(count) * (factors[unit] ?? 0);
  });
  return (bytes.reduce((sum, one) => sum + one, 0) / MEBIBYTE).toFixed(0);
}

const [stage, folder = ""] = process.argv.slice(2);
if (stage === "build") await build(folder);
else if (stage === "try") {
  await tryOut(folder);
  // The engine runs on: the kernel ends it with this process.
  process.exit();
} else await checkDeploy();
