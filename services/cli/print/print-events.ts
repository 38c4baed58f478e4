import type { RunEvent } from "#shared/client";
import { clean } from "./format-table.ts";

/** What a line shows of an event, where it is there. */
const SHOWN = [
  "hop",
  "attempt",
  "reason",
  "code",
  "failure_class",
  "procedure",
  "delay_ms",
  "case_id",
  "status",
  "ms",
  "cost",
] as const;

/** One event in one line. */
export function formatEvent({ at, type, agent, detail }: RunEvent): string {
  const told = SHOWN.flatMap((name) => {
    const value = detail[name];
    if (value === undefined || value === null || value === "") return [];
    return [`${name}=${typeof value === "string" ? value : JSON.stringify(value)}`];
  });
  return [at, type.padEnd(12), (agent ?? "").padEnd(16), ...told].map(clean).join("  ").trimEnd();
}
