import { writeSync } from "node:fs";
import { defineError } from "#shared/errors";
import { CRASH_POINTS } from "./points.ts";
import type { CrashPointName } from "./points.ts";

/** The setting names no crash point, or has another form. Nothing was started. */
class CrashPointUnknownError extends defineError((point: string) => ({
  code: "CRASH_POINT_UNKNOWN",
  failureClass: "handler_error",
  severity: "fatal",
  message: `There is no crash point ${JSON.stringify(point.slice(0, 100))}.`,
  remedy: "Unset SUTURE_CRASH_POINT, or name a point of docs/crash-windows.md, an action and a number.",
})) {}

/** A crash point struck by losing the connection, as a test asked for. */
class CrashPointStruckError extends defineError((point: string) => ({
  code: "CRASH_POINT_STRUCK",
  failureClass: "transient",
  message: `The connection was lost at ${point}, because a test asked for it.`,
  remedy: "Unset SUTURE_CRASH_POINT: it is for tests.",
})) {}

/** `kill` ends the process as a power cut would; `pause` stops it until SIGCONT; `throw` loses the connection. */
type CrashAction = "kill" | "pause" | "throw";

interface Plan {
  readonly point: CrashPointName;
  readonly action: CrashAction;
  /** Passings until it strikes, once. */
  passings: number;
}

const PLAN = /^(?<point>\S{1,100}) (?<action>kill|pause|throw) (?<nth>[1-9]\d{0,8})$/;

/** Planned strike of this process. Null in every process that is not a test's. */
let plan: Plan | null = null;

/**
 * Arms one crash point of this process; `loadConfig` refuses it in production. @throws {CrashPointUnknownError}
 * @param text - `<point> <kill|pause|throw> <n>`: strikes at the n-th passing, once. Null disarms.
 */
export function armCrashPoint(text: string | null): void {
  if (text === null) {
    plan = null;
    return;
  }
  const { point = "", action = "", nth = "" } = PLAN.exec(text)?.groups ?? {};
  if (!isPoint(point) || !isAction(action)) throw new CrashPointUnknownError(point);
  plan = { point, action, passings: Number(nth) };
}

/** A place at which a test may strike this process; costs one comparison. @throws {CrashPointStruckError} */
export function crashPoint(name: CrashPointName): void {
  if (plan !== null) pass(plan, name);
}

function pass(armed: Plan, name: CrashPointName): void {
  if (armed.point !== name) return;
  armed.passings -= 1;
  if (armed.passings > 0) return;
  plan = null;
  // Written at once, so that who watches knows that it struck here and did not die of something else.
  writeSync(2, `${strikeLine(name)}\n`);
  switch (armed.action) {
    case "kill":
      process.kill(process.pid, "SIGKILL");
      return;
    case "pause":
      process.kill(process.pid, "SIGSTOP");
      return;
    case "throw":
      throw new CrashPointStruckError(name);
  }
}

/** Returns the line that a process writes to its standard error as a point strikes. */
export function strikeLine(name: CrashPointName): string {
  return `crash point ${name} strikes`;
}

function isPoint(text: string): text is CrashPointName {
  return CRASH_POINTS.some((name) => name === text);
}

function isAction(text: string): text is CrashAction {
  return text === "kill" || text === "pause" || text === "throw";
}
