export { SandboxUnavailableError } from "./errors.ts";
export type { SandboxedEnd, SandboxPlaces } from "./command.ts";
export { findMissingIsolation, runSandboxed, setCodeIsolation } from "./run-sandboxed.ts";
