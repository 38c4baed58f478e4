import { branchesOf, mustWait } from "../task.ts";
import type { Evidence, Findings } from "./evidence.ts";
import type { Submission } from "./submissions.ts";

/** A zombie that wakes up may still send the one call that it was about to make, within this time, in ms. */
const ZOMBIE_CALL_MS = 2000;

/** What the outside world saw. */
export interface OutsideSeen {
  /** Effect of each task, and of each branch of a survey. */
  readonly effectOf: ReadonlyMap<string, string>;
  readonly repeatedEffectCalls: number;
  readonly modelCalls: number;
  /** Calls that were being answered when an agents' process was killed. */
  readonly inFlightAtKill: number;
}

/**
 * An effect for each key, a key for each task, none for what never got so far; no model call for what nobody submitted,
 * and none after the effect, which follows the recorded answer.
 */
export function checkOutside(
  evidence: Evidence,
  submissions: readonly Submission[],
  findings: Findings,
): OutsideSeen {
  const known = new Map(
    submissions.flatMap(({ task }) =>
      // Of a survey nothing is asked or done outside but by its branches.
      task.kind === "survey"
        ? branchesOf(task).map((branch) => [branch.task, task] as const)
        : [[task.task, task] as const],
    ),
  );
  const effectOf = new Map<string, string>();
  const effectAtMs = new Map<string, number>();
  const wakings = wakingsOf(evidence);
  let repeatedEffectCalls = 0;
  let modelCalls = 0;
  for (const line of evidence.outside) {
    if (line.type === "repair" || line.type === "answered") continue;
    const task = known.get(line.task);
    const mayCome = task !== undefined && (!mustWait(task.kind) || task.kind === "babble");
    if (line.type === "model") {
      modelCalls += 1;
      if (!mayCome) findings.add("unexpected", `${line.task}: the model was asked for it`);
      const isZombie = wakings.some((at) => line.at_ms >= at && line.at_ms <= at + ZOMBIE_CALL_MS);
      if (effectAtMs.has(line.task) && !isZombie)
        findings.add("repeated_model_calls", `${line.task}: call ${line.call} came after the effect`);
    } else if (line.is_repeat) {
      repeatedEffectCalls += 1;
    } else {
      if (task === undefined || mustWait(task.kind))
        findings.add("unexpected", `${line.task}: had an effect that it was never to have`);
      if (effectOf.has(line.task)) findings.add("duplicated", `${line.task}: had more than one effect`);
      effectOf.set(line.task, line.effect_id);
      effectAtMs.set(line.task, line.at_ms);
    }
  }
  return { effectOf, repeatedEffectCalls, modelCalls, inFlightAtKill: countInFlight(evidence) };
}

/** When workers woke up that had stood still, or lived on while Redis had gone on without them. */
function wakingsOf({ injected }: Evidence): number[] {
  const kinds = ["pause", "block", "link", "clock_ahead", "clock_back"];
  return injected
    .filter(({ fault }) => fault.target.startsWith("agents-") && kinds.includes(fault.kind))
    .map(({ endedAtMs }) => endedAtMs);
}

function countInFlight({ outside, injected }: Evidence): number {
  const kills = injected
    .filter(
      ({ fault, struck }) => struck && fault.target.startsWith("agents-") && /kill|upgrade/.test(fault.kind),
    )
    .map(({ endedAtMs }) => endedAtMs);
  const begun = new Map<string, number>();
  let inFlight = 0;
  for (const line of outside) {
    if (line.type === "model") begun.set(`${line.task}/${line.call}`, line.at_ms);
    if (line.type !== "answered") continue;
    const from = begun.get(`${line.task}/${line.call}`) ?? line.at_ms;
    // Whoever asked is gone a moment before the connection is.
    if (kills.some((at) => from <= at && at <= line.at_ms + 50)) inFlight += 1;
  }
  return inFlight;
}
