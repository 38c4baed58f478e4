import type { ValuesOf } from "../script-arguments.ts";
import { JOB, JOB_PARTS } from "./queues.ts";
import { RUNS, touchedRuns } from "./runs.ts";

/** Keys and arguments of scripts that write the effects of an outcome beside it. */
export const EFFECTS = {
  parts: [...JOB_PARTS, ...RUNS.parts, "apply-effects.lua"],
  // `inbox`: dead messages that no surgeon has taken in.
  keys: [...RUNS.keys, "inbox"],
  args: {
    jobs: { list: JOB },
    // JSON texts of dead messages.
    admitted: "texts",
    ...RUNS.args,
  },
} as const;

/** Effects of an outcome in the form of its script. */
export type EffectsCall = { readonly [Name in (typeof EFFECTS.keys)[number]]: string } & ValuesOf<
  typeof EFFECTS.args
>;

/** Returns the keys that a script with these effects derives itself, which Redis must be told of. */
export function touchedBy(call: EffectsCall): readonly string[] {
  return [
    ...call.jobs.flatMap(({ base, jobId, delayMs, priority }) => [
      base + (delayMs > 0 ? "delayed" : priority > 0 ? "prioritized" : "wait"),
      `${base}marker`,
      base + jobId,
    ]),
    ...touchedRuns(call),
  ];
}
