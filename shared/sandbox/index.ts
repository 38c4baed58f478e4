export type { SandboxedEnd, SandboxPlaces } from "./command.ts";
export { killNow } from "./process-tree.ts";
export { findMissingIsolation, runSandboxed, setCodeIsolation } from "./run-sandboxed.ts";
