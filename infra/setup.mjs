// Makes a fresh clone ready to run: installs what package-lock.json says and builds the console's pages, unless that is
// what is there. Runs before `npm ci`, under whatever Node there is (18 or newer), so it imports nothing but Node and
// our own .mjs files.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { withLockFolder } from "./lock-folder.mjs";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const LOCKFILE = join(ROOT, "package-lock.json");
const MODULES = join(ROOT, "node_modules");
const STAMP = join(MODULES, ".suture-setup");
const INSTALL_TIMEOUT_MS = 900_000;
/** Sources of the console's pages, what Vite makes of them, and what it was made of. */
const APP = join(ROOT, "services", "console", "app");
const APP_STAMP = join(ROOT, "services", "console", "built", ".sources");
const NODE_MIN = { major: 22, minor: 18 };

/** A reason why set-up cannot go on, in words for the person who started it. */
export class SetupError extends Error {}

/**
 * Installs the dependencies if they are absent or not those of the lockfile, and builds the console's pages if their
 * sources or the dependencies changed. Quick when there is nothing to do. Of several at once one does the work and the
 * others wait.
 */
export async function setUp() {
  if (isReady()) return;
  const lock = { folder: join(ROOT, ".suture", "setup.lock"), timeoutMs: INSTALL_TIMEOUT_MS };
  await withLockFolder(lock, async () => {
    if (!holds(STAMP, digestOfLockfile())) {
      if (!isInstalled()) await install();
      writeFileSync(STAMP, digestOfLockfile());
    }
    if (isAppReady()) return;
    // Taken first: what is changed meanwhile is built by the next start.
    const digest = digestOfApp();
    await buildApp();
    writeFileSync(APP_STAMP, digest);
  });
}

/** The Node that runs the project's TypeScript: this one if it is new enough, else the one among the dependencies. */
export function findProjectNode({ version = process.versions.node } = {}) {
  if (isNewEnough(version)) return process.execPath;
  const platformPackage = join(MODULES, `node-${process.platform}-${process.arch}`);
  try {
    const { version: bundled, bin } = JSON.parse(readFileSync(join(platformPackage, "package.json"), "utf8"));
    if (isNewEnough(bundled))
      return join(platformPackage, typeof bin === "string" ? bin : (bin?.node ?? "bin/node"));
  } catch {
    // No Node comes with the dependencies on this platform.
  }
  throw new SetupError(
    `Suture needs Node ${NODE_MIN.major}.${NODE_MIN.minor} or newer and this is ${version}; for ${process.platform} on ` +
      `${process.arch} none comes with the dependencies. Install Node 24 (https://nodejs.org, or \`brew install node@24\`, ` +
      "or `nvm install 24`) and start again.",
  );
}

function digestOfLockfile() {
  return createHash("sha256").update(readFileSync(LOCKFILE)).digest("hex");
}

function isReady() {
  return holds(STAMP, digestOfLockfile()) && isAppReady();
}

/** Returns true where the console's pages are built, or there are none to build. */
function isAppReady() {
  return !existsSync(APP) || holds(APP_STAMP, digestOfApp());
}

/** Of all that a build reads: the app imports nothing but types from outside its folder. */
function digestOfApp() {
  const digest = createHash("sha256").update(digestOfLockfile());
  for (const path of filesBelow(APP))
    if (!/\.test\.tsx?$/.test(path))
      digest.update(`\n${path.slice(APP.length)}\n`).update(readFileSync(path));
  return digest.digest("hex");
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

async function buildApp() {
  process.stderr.write("Building the console's pages (vite build, a few seconds) …\n");
  const vite = join(MODULES, "vite", "bin", "vite.js");
  const args = [vite, "build", "--config", join(APP, "vite.config.ts")];
  const { code, output } = await run(findProjectNode(), args);
  if (code === 0) return;
  throw new SetupError(
    `The console's pages could not be built (vite ended with ${code}). What it said:\n${lastLines(output)}\n` +
      "If you changed services/console/app, correct it there; else remove node_modules and start again.",
  );
}

function lastLines(output) {
  return output.trim().split("\n").slice(-30).join("\n");
}

function holds(file, text) {
  try {
    return readFileSync(file, "utf8") === text;
  } catch {
    return false;
  }
}

/** Returns true if someone ran npm by hand: npm's own record has every package that is not optional. */
function isInstalled() {
  try {
    const wanted = JSON.parse(readFileSync(LOCKFILE, "utf8")).packages;
    const there = JSON.parse(readFileSync(join(MODULES, ".package-lock.json"), "utf8")).packages;
    const isThere = ([path, { version, optional, peer }]) =>
      path === "" ||
      there[path]?.version === version ||
      (there[path] === undefined && Boolean(optional || peer));
    return Object.entries(wanted).every(isThere);
  } catch {
    return false;
  }
}

async function install() {
  process.stderr.write("Installing the dependencies of package-lock.json (npm ci, half a minute to two) …\n");
  const args = ["ci", "--include=dev", "--include=optional", "--no-progress"];
  const npm = process.env.npm_execpath ?? "";
  // Inside an npm script this is the npm that runs it; other package managers set the variable too.
  const isNpm = /^npm(-cli)?\.[cm]?js$/.test(basename(npm));
  const [command, ...before] = isNpm ? [process.execPath, npm] : ["npm"];
  const { code, output } = await run(command, [...before, ...args]);
  if (code === 0) return;
  throw new SetupError(
    `npm ci ended with ${code}. What it said:\n${lastLines(output)}\n` +
      "Check the network and the registry (`npm config get registry`), and start again.",
  );
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
/** npm takes back what it has installed so far, for as long as its downloads last; the next `npm ci` begins anew. */
const FORCED_AFTER_MS = 2000;

/** Runs a command to its end. A signal ends it with all that it has started, and then this process. */
function run(command, args) {
  return new Promise((resolve, reject) => {
    const stdio = ["ignore", "pipe", "pipe"];
    // A group of its own, which is ended as a whole.
    const child = spawn(command, args, { cwd: ROOT, stdio, timeout: INSTALL_TIMEOUT_MS, detached: true });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    let asked = null;
    const stop = (signal) => {
      if (asked === null) setTimeout(() => killGroup(child, "SIGKILL"), FORCED_AFTER_MS).unref();
      asked ??= signal;
      killGroup(child, "SIGTERM");
    };
    for (const signal of SIGNALS) process.on(signal, stop);
    const finish = (code) => {
      for (const signal of SIGNALS) process.off(signal, stop);
      if (asked === null) resolve({ code, output });
      else reject(new StoppedError(asked));
    };
    child.once("error", ({ message }) => {
      output += message;
      finish(message);
    });
    child.once("close", (code, signal) => finish(code ?? signal));
  });
}

function killGroup({ pid }, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended.
  }
}

/** Set-up was asked to stop by a signal. */
class StoppedError extends Error {
  constructor(signal) {
    super(`stopped by ${signal}`);
    this.signal = signal;
  }
}

/** Ends this process as an error says. Never returns for a stop: the shell sees the signal. */
export function endAfter(error) {
  if (error instanceof StoppedError) process.kill(process.pid, error.signal);
  const isExpected =
    error instanceof SetupError || error instanceof StoppedError || error.code === "LOCK_TIMEOUT";
  process.stderr.write(`${isExpected ? error.message : error.stack}\n`);
  process.exitCode = 1;
}

function isNewEnough(version) {
  const [major = 0, minor = 0] = String(version).split(".").map(Number);
  return major > NODE_MIN.major || (major === NODE_MIN.major && minor >= NODE_MIN.minor);
}

/** Returns true if this file was started, rather than imported. */
function isMain() {
  try {
    return realpathSync(process.argv[1] ?? "") === fileURLToPath(import.meta.url);
  } catch {
    return false;
  }
}

if (isMain()) {
  try {
    await setUp();
    findProjectNode();
  } catch (error) {
    endAfter(error);
  }
}
