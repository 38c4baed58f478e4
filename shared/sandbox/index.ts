export type { SandboxBounds, SandboxedCommand, SandboxedEnd, SandboxPlaces } from "./command.ts";
export { SandboxNotStartedError, SandboxUnavailableError } from "./errors.ts";
export { killNow } from "./process-tree.ts";
export { findMissingIsolation, runSandboxed, setCodeIsolation } from "./run-sandboxed.ts";
export type { CodeIsolation } from "./run-sandboxed.ts";
