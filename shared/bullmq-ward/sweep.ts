import { sleep } from "#shared/clock";
import type { DataContract } from "./data-contract.ts";
import { CaseGroups } from "./group-cases.ts";
import type { Hold, SweepReport, WardMode, WardSteps } from "./options.ts";

/** Time between the end of one sweep and the next, in ms. */
const EVERY_MS_DEFAULT = 30_000;

/** Time that a sweep which was told to end has for the job that it is sending, in ms. */
const GRACE_MS = 5_000;

export interface RunOptions {
  /** Time between two sweeps, in ms. Default 30,000. */
  readonly everyMs?: number;
  /** Ends the loop. A job that is being sent is sent to its end. */
  readonly signal: AbortSignal;
  readonly onSweep?: (report: SweepReport) => void;
  /** Receives the error of a sweep, while Redis is away, say; the next sweep comes all the same. Default: a warning. */
  readonly onError?: (error: unknown) => void;
}

/** Goes through the failed jobs once and does what the mode allows. */
export async function sweepOnce(
  ward: WardSteps,
  scope: { readonly mode: WardMode; readonly contract: DataContract | null; readonly signal?: AbortSignal },
): Promise<SweepReport> {
  const { mode, contract, signal } = scope;
  const recovered = mode === "redrive" ? await ward.recover() : 0;
  const recipes = mode === "watch" ? [] : await ward.recipes();
  const groups = new CaseGroups();
  const held: Partial<Record<Hold, number>> = {};
  let [cases, proposed, redriven] = [0, 0, 0];
  let complete = true;
  for await (const jobCase of ward.cases()) {
    complete = signal?.aborted !== true;
    if (!complete) break;
    cases += 1;
    groups.add(jobCase, contract);
    if (mode === "watch") continue;
    const proposal = await ward.propose(jobCase, recipes);
    if (proposal.kind === "none") continue;
    proposed += 1;
    if (mode === "propose") continue;
    const result = await ward.redrive(jobCase, { data: proposal.data, by: "sweep" });
    if (result.kind === "held") held[result.reason] = (held[result.reason] ?? 0) + 1;
    else redriven += 1;
  }
  return { complete, cases, groups: groups.list(), proposed, redriven, held, recovered };
}

/** Sweeps again and again until the signal. Never throws for a sweep that failed. */
export async function runSweeps(
  sweep: (scope: { readonly signal: AbortSignal }) => Promise<SweepReport>,
  options: RunOptions,
): Promise<void> {
  const { everyMs = EVERY_MS_DEFAULT, signal, onSweep, onError = warn } = options;
  const ended = new Promise<null>((resolve) => {
    const onEnd = (): void => void setTimeout(() => resolve(null), GRACE_MS).unref();
    signal.addEventListener("abort", onEnd, { once: true });
  });
  while (!signal.aborted) {
    try {
      // Commands wait for as long as Redis is away; the end of the loop does not wait for them.
      const report = await Promise.race([sweep({ signal }), ended]);
      if (report !== null) onSweep?.(report);
    } catch (error) {
      onError(error);
    }
    await sleep(everyMs, signal).catch(() => undefined);
  }
}

function warn(error: unknown): void {
  process.emitWarning(
    `A sweep of failed jobs failed: ${error instanceof Error ? error.message : String(error)}`,
  );
}
