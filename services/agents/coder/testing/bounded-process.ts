// Run as a process of its own by tests that kill it: it watches over a command that would never end.
import { writeFileSync } from "node:fs";
import { runBounded } from "../trial/run-bounded.ts";

const [, , pidFile = "", script = ""] = process.argv;
const bounds = { timeMs: 600_000, outputBytesMax: 1000, memoryBytesMax: 1e9, writtenBytesMax: 1e6 };
await runBounded({
  command: [process.execPath, "--eval", script],
  folder: "/",
  env: {},
  bounds,
  signal: new AbortController().signal,
  onGroup: async (pid) => writeFileSync(pidFile, String(pid)),
});
