import type { SandboxedCommand, SandboxedEnd } from "./command.ts";
import { SandboxUnavailableError } from "./errors.ts";
import { prepareInNamespaces } from "./in-namespaces.ts";
import { probeIsolation } from "./probe.ts";
import { runLaunch } from "./run-launch.ts";
import { prepareWithoutIsolation } from "./without-isolation.ts";

/** `require`: untrusted code runs in isolation or not at all. `off`: it runs with this process's rights. */
export type CodeIsolation = "require" | "off";

let isolation: CodeIsolation = "require";
let probed: Promise<string | null> | null = null;

/** Sets whether untrusted code needs isolation in this process. Default `require`. */
export function setCodeIsolation(wanted: CodeIsolation): void {
  isolation = wanted;
}

/**
 * Tests whether this machine can isolate code. Caches success only, so that a fix needs no restart.
 * @returns What is missing, in words. Null: isolation works.
 */
export async function findMissingIsolation(): Promise<string | null> {
  probed ??= probeIsolation();
  const missing = await probed;
  if (missing !== null) probed = null;
  return missing;
}

/**
 * Runs a Node program that is not to be trusted: without network, without sight of other processes, with nothing to
 * read but what is listed and nothing to write but a scratch folder that is gone afterwards. Everything that it started
 * is gone when this returns, and when this process dies.
 *
 * @throws {SandboxUnavailableError} This machine cannot hold it, and `off` was not set.
 * @throws {SandboxNotStartedError} It could not be started this time.
 * @throws the signal's reason when that is aborted.
 */
export async function runSandboxed(command: SandboxedCommand): Promise<SandboxedEnd> {
  command.signal.throwIfAborted();
  if (isolation === "off") return runLaunch(prepareWithoutIsolation(command), command);
  const missing = await findMissingIsolation();
  if (missing !== null) throw new SandboxUnavailableError(missing);
  return runLaunch(prepareInNamespaces(command), command);
}
