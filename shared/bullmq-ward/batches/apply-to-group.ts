import type { Operation } from "rfc6902";
import { now, sleep, uuidv7 } from "#shared/clock";
import { BatchRunner, MemoryBatches, RATE_MAX } from "#shared/ward/batches";
import type { Batch } from "#shared/ward/batches";
import type { FailedJobs } from "./failed-jobs.ts";
import type { Hold } from "../options.ts";

/** A person's decision about all jobs of one group. */
export interface GroupDecision {
  /** Name of the person, for the audit. */
  readonly by: string;
  /** `rules`: only jobs with a proved repair, with it. `none`: all of them as they are, after the code was fixed. */
  readonly repair: "rules" | "none";
  /** Only says what would happen. Default false. */
  readonly isDryRun?: boolean;
  /** Jobs that are sent first; the others follow when all of these have completed. Default 0: no trial. */
  readonly canary?: number;
  /** Time limit of the trial, in ms. Default 60,000. */
  readonly canaryWaitMs?: number;
  /** A person has looked whether effects may be repeated. Default: the ward's `mayRepeatEffects`. */
  readonly acceptsEffects?: boolean;
  /** Jobs that are sent back in a second, at most. Default 1,000, and not more. */
  readonly ratePerSecond?: number;
  /** Name of this work in the audit. Default: a new one. */
  readonly batch?: string;
  readonly signal?: AbortSignal;
}

export interface GroupReport {
  /** For `undoBatch`, and in the audit. */
  readonly batch: string;
  /** Jobs of the group. */
  readonly matched: number;
  /** Jobs sent back; in a dry run those that would be tried. */
  readonly sent: number;
  readonly held: Readonly<Partial<Record<Hold, number>>>;
  /** Jobs without a proved repair. They stay as they are. */
  readonly unrepaired: number;
  /** Changes of the first jobs, at most 5. */
  readonly examples: readonly { readonly id: string; readonly changes: readonly Operation[] }[];
  /** Reason for which the rest of the group was left alone; null if it was not. */
  readonly stopped: "canary_failed" | "canary_pending" | "cancelled" | null;
}

const CANARY_WAIT_MS = 60_000;
const LOOK_EVERY_MS = 100;

/** Sends the jobs of one group back in this process. The look after the trial is whether all of it has completed. */
export async function applyToGroup(
  jobs: FailedJobs,
  group: { readonly id: string; readonly decision: GroupDecision & { readonly acceptsEffects: boolean } },
): Promise<GroupReport> {
  const { decision } = group;
  const { by, signal, canary = 0, isDryRun = false, ratePerSecond = RATE_MAX } = decision;
  const runner = new BatchRunner(new MemoryBatches(), jobs);
  const batchId = decision.batch ?? uuidv7();
  const onAbort = (): void => void runner.stop(batchId).catch(() => undefined);
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const planned = runner.plan({
      batch_id: batchId,
      fingerprint: group.id,
      decision: decision.repair === "none" ? "release" : "operate",
      by,
      why: "",
      accepts_effects: decision.acceptsEffects,
      canary,
      rate_per_second: Math.min(ratePerSecond, RATE_MAX),
      is_checked_first: isDryRun,
    });
    if (signal?.aborted === true) onAbort();
    await planned;
    let batch = await runner.drive(batchId);
    let stopped: GroupReport["stopped"] = null;
    const waits = ({ state }: Batch): boolean => state === "look" || (state === "planned" && !isDryRun);
    while (stopped === null && waits(batch)) {
      if (batch.state === "look") stopped = await lookAtTrial(runner, batch, decision);
      // It may have been cancelled meanwhile.
      if (stopped === null) await runner.start(batchId).catch(() => undefined);
      if (stopped === null) batch = await runner.drive(batchId);
    }
    const { no_repair: unrepaired = 0, ...held } = batch.refusals;
    return {
      batch: batchId,
      matched: batch.total,
      sent: isDryRun ? batch.would_pass : batch.decided,
      held,
      unrepaired: isDryRun ? batch.checked - batch.would_pass : unrepaired,
      examples: jobs.examplesOf(batchId),
      stopped: stopped ?? (batch.state === "stopped" ? "cancelled" : null),
    };
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
}

/** Returns null when all jobs of the trial have completed. */
async function lookAtTrial(
  runner: BatchRunner,
  batch: Batch,
  { canaryWaitMs = CANARY_WAIT_MS, signal }: GroupDecision,
): Promise<GroupReport["stopped"]> {
  const giveUpAtMs = now() + canaryWaitMs;
  for (;;) {
    await runner.verify(batch, batch.total);
    const seen = await runner.find(batch.batch_id);
    if (seen === null || seen.died_again > 0) return "canary_failed";
    if (seen.under_way === 0) return null;
    if (signal?.aborted === true) return "cancelled";
    if (now() > giveUpAtMs) return "canary_pending";
    await sleep(LOOK_EVERY_MS, signal).catch(() => undefined);
  }
}
