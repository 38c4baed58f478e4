import { createRequire } from "node:module";
import { BullmqTooOldError } from "../errors.ts";

/** Release of BullMQ from which its Redis backend can be extended as agents need it. */
const [MAJOR, MINOR_MIN] = [6, 7];

/** @throws {BullmqTooOldError} The project's BullMQ cannot run agents. */
export function assertEngine(): void {
  // The package's own manifest has its version.
  const { version } = createRequire(import.meta.url)("bullmq/package.json") as { readonly version: string };
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major !== MAJOR || minor < MINOR_MIN) throw new BullmqTooOldError(version);
}
