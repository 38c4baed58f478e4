// A lock between processes that needs nothing but a file system, for code that may run before `npm ci`.
//
// `mkdir` is atomic, so whoever makes the folder holds the lock. A holder that died leaves the folder behind; it is
// recognised by its process id and, where the system tells, the time at which that process started, since ids are
// used again (in a container after every restart). Breaking such a lock is itself guarded by a second folder:
// without it, two waiters could both see a dead holder and the slower one would remove the faster one's new lock.

import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const POLL_DELAY_MS = 50;
/** A folder without an owner file: its creator is about to write it, or crashed. */
const UNSIGNED_AGE_MS_MAX = 5000;
const ENDED = " ended";

/** Another process held the lock until the timeout. `code` is LOCK_TIMEOUT. */
export class LockTimeoutError extends Error {
  constructor(folder, timeoutMs) {
    super(
      `Another process has held ${folder} for more than ${timeoutMs} ms. If none is running, remove that folder.`,
    );
    this.name = this.code = "LOCK_TIMEOUT";
  }
}

/**
 * Runs `work` under the lock and releases it afterwards, also when the process exits meanwhile. Waits at most
 * `timeoutMs` for another holder.
 */
export async function withLockFolder({ folder, timeoutMs, signal }, work) {
  const release = () => rmSync(folder, { recursive: true, force: true });
  await take({ folder, timeoutMs, signal });
  process.once("exit", release);
  try {
    return await work();
  } finally {
    process.off("exit", release);
    release();
  }
}

async function take({ folder, timeoutMs, signal }) {
  // The first process creates the data folder, which will contain secrets.
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  const endsAt = performance.now() + timeoutMs;
  while (!tryToTake(folder)) {
    signal?.throwIfAborted();
    if (performance.now() > endsAt) throw new LockTimeoutError(folder, timeoutMs);
    if (isAbandoned(folder)) breakLock(folder);
    else await new Promise((resolve) => setTimeout(resolve, POLL_DELAY_MS));
  }
}

function tryToTake(folder) {
  if (!tryToMake(folder)) return false;
  writeFileSync(join(folder, "owner"), processIdentity(process.pid));
  return true;
}

function tryToMake(folder) {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

function breakLock(folder) {
  const guard = `${folder}.breaking`;
  if (!tryToMake(guard)) {
    if (ageMs(guard) > UNSIGNED_AGE_MS_MAX) rmSync(guard, { recursive: true, force: true });
    return;
  }
  try {
    if (isAbandoned(folder)) rmSync(folder, { recursive: true, force: true });
  } finally {
    rmSync(guard, { recursive: true, force: true });
  }
}

function isAbandoned(folder) {
  let owner;
  try {
    owner = readFileSync(join(folder, "owner"), "utf8");
  } catch {
    return ageMs(folder) > UNSIGNED_AGE_MS_MAX;
  }
  if (owner === "") return ageMs(folder) > UNSIGNED_AGE_MS_MAX;
  return !isSameProcess(owner);
}

function ageMs(folder) {
  try {
    return Date.now() - statSync(folder).mtimeMs;
  } catch {
    return 0;
  }
}

/** `<pid>` or, with /proc, `<pid> <boot> <start>`, which distinguishes a process from a later one with its id. */
export function processIdentity(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The command's name, in parentheses, may contain blanks; the start time is the 20th field after it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // A zombie process has ended.
    if (fields[0] === "Z" || fields[0] === "X") return `${pid}${ENDED}`;
    const startedAt = fields[19];
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${pid} ${boot} ${startedAt}`;
  } catch {
    return String(pid);
  }
}

/** Returns true while the process with this identity runs. */
export function isSameProcess(identity) {
  const pid = Number(identity.split(" ")[0]);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== "EPERM") return false;
  }
  return !identity.endsWith(ENDED) && processIdentity(pid) === identity;
}
