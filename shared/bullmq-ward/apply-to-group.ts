import type { Operation } from "rfc6902";
import { now, sleep, uuidv7 } from "#shared/clock";
import type { DataContract } from "./data-contract.ts";
import { groupOf } from "./group-cases.ts";
import type { Hold, WardSteps } from "./options.ts";

/** A person's decision about all jobs of one group. */
export interface GroupDecision {
  /** Who, for the audit. */
  readonly by: string;
  /** `rules`: only jobs with a proved repair, with it. `none`: all of them as they are, after the code was fixed. */
  readonly repair: "rules" | "none";
  /** Only says what would happen. Default false. */
  readonly isDryRun?: boolean;
  /** Jobs that are sent first; the others follow when all of these have completed. Default 0: no trial. */
  readonly canary?: number;
  /** How long the trial may take, in ms. Default 60,000. */
  readonly canaryWaitMs?: number;
  /** A person has looked whether effects may be repeated. Default: the ward's `mayRepeatEffects`. */
  readonly acceptsEffects?: boolean;
  /** Jobs that are sent back in a second, at most. Default: no limit. */
  readonly ratePerSecond?: number;
  /** Name of this work in the audit. Default: a new one. */
  readonly batch?: string;
  readonly signal?: AbortSignal;
}

export interface GroupReport {
  /** For `undoBatch`, and in the audit. */
  readonly batch: string;
  /** Jobs of the group that were looked at. */
  readonly matched: number;
  /** Jobs sent back; in a dry run those that would be tried. */
  readonly sent: number;
  readonly held: Readonly<Partial<Record<Hold, number>>>;
  /** Jobs without a proved repair. They stay as they are. */
  readonly unrepaired: number;
  /** Changes of the first jobs, at most 5. */
  readonly examples: readonly { readonly id: string; readonly changes: readonly Operation[] }[];
  /** Why the rest of the group was left alone; null if it was not. */
  readonly stopped: "canary_failed" | "canary_pending" | "cancelled" | null;
}

const CANARY_WAIT_MS = 60_000;
const LOOK_EVERY_MS = 100;
const EXAMPLES_MAX = 5;

/** Sends the jobs of one group back, after a trial with a few of them if that is asked for. */
export async function applyToGroup(
  ward: WardSteps,
  contract: DataContract | null,
  group: { readonly id: string; readonly decision: GroupDecision },
): Promise<GroupReport> {
  const { decision } = group;
  const { signal, canary = 0, isDryRun = false, batch = uuidv7(), ratePerSecond } = decision;
  const recipes = await ward.recipes();
  const held: Partial<Record<Hold, number>> = {};
  const examples: { id: string; changes: readonly Operation[] }[] = [];
  const trial: string[] = [];
  let [matched, sent, unrepaired] = [0, 0, 0];
  const report = (stopped: GroupReport["stopped"]): GroupReport => {
    return { batch, matched, sent, held, unrepaired, examples, stopped };
  };
  for await (const jobCase of ward.cases()) {
    if (signal?.aborted === true) return report("cancelled");
    if (groupOf(jobCase, contract).id !== group.id) continue;
    matched += 1;
    const repair = decision.repair === "none" ? null : await ward.propose(jobCase, recipes);
    if (repair?.kind === "none") {
      unrepaired += 1;
      continue;
    }
    if (examples.length < EXAMPLES_MAX) examples.push({ id: jobCase.id, changes: repair?.changes ?? [] });
    const result = isDryRun
      ? null
      : await ward.redrive(jobCase, {
          ...(repair === null ? {} : { data: repair.data }),
          by: decision.by,
          acceptsEffects: decision.acceptsEffects,
          batch,
        });
    if (result?.kind === "held") {
      held[result.reason] = (held[result.reason] ?? 0) + 1;
      continue;
    }
    sent += 1;
    if (isDryRun) continue;
    if (ratePerSecond !== undefined) await sleep(1000 / ratePerSecond, signal).catch(() => undefined);
    if (trial.length >= canary) continue;
    trial.push(jobCase.id);
    const stopped = trial.length < canary ? null : await awaitTrial(trial, ward, decision);
    if (stopped !== null) return report(stopped);
  }
  return report(null);
}

/** Returns null when all jobs of the trial have completed. */
async function awaitTrial(
  ids: readonly string[],
  ward: WardSteps,
  { canaryWaitMs = CANARY_WAIT_MS, signal }: GroupDecision,
): Promise<GroupReport["stopped"]> {
  const giveUpAtMs = now() + canaryWaitMs;
  for (;;) {
    const states = await Promise.all(ids.map((id) => ward.stateOf(id)));
    if (states.includes("failed")) return "canary_failed";
    // A job that is gone was removed on completion: one that is removed on failure is in no failed set.
    if (states.every((state) => state === "completed" || state === "unknown")) return null;
    if (signal?.aborted === true) return "cancelled";
    if (now() > giveUpAtMs) return "canary_pending";
    await sleep(LOOK_EVERY_MS, signal).catch(() => undefined);
  }
}
