import type { RunEvent } from "../http/watch-run.ts";
import { clean } from "./format-table.ts";

/** What a line shows of an event, where it is there. */
const SHOWN = ["hop", "attempt", "reason", "code", "failure_class", "procedure", "delay_ms", "case_id", "status", "ms", "cost"] as const;

/** One event in one line. */
export function formatEvent({ at, type, agent, detail }: RunEvent): string {
  const told = SHOWN.flatMap((name) => {
    const value = detail[name];
    return value === undefined || value === null || value === "" ? [] : [`${name}=${typeof value === "object" ? JSON.stringify(value) : String(value)}`];
  });
  return [at, type.padEnd(12), (agent ?? "").padEnd(16), ...told].map(clean).join("  ").trimEnd();
}
