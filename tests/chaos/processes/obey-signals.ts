import { writeSync } from "node:fs";

/**
 * Loaded before an agents' process of the suite: troubles that only the process itself can make.
 * - SIGHUP blocks its event loop for so long that its locks run out; the handler at work then wakes up as a zombie.
 * - SIGUSR2 sets its clock two hours ahead, SIGWINCH two hours back; the same signal again puts it right.
 * `CHAOS_CLOCK_OFFSET_MS` is how far its clock is off from the start. Default 0.
 */

const BLOCK_MS = Number(process.env["CHAOS_BLOCK_MS"] ?? "0");
const SKEW_MS = 2 * 3_600_000;

function say(msg: string): void {
  writeSync(2, `${JSON.stringify({ msg })}\n`);
}

process.on("SIGHUP", () => {
  say("event loop blocked");
  const endsAtMs = performance.now() + BLOCK_MS;
  while (performance.now() < endsAtMs) Math.hypot(endsAtMs, 1);
});

const trueNow = Date.now;
let offsetMs = Number(process.env["CHAOS_CLOCK_OFFSET_MS"] ?? "0");
Date.now = () => trueNow() + offsetMs;

function moveClock(byMs: number): void {
  offsetMs = offsetMs === byMs ? 0 : byMs;
  say(`clock is off by ${offsetMs} ms`);
}

process.on("SIGUSR2", () => moveClock(SKEW_MS));
process.on("SIGWINCH", () => moveClock(-SKEW_MS));
