import { now, sleep } from "#shared/clock";
import type { Store } from "#shared/store";
import { OPEN_CASE_STATUSES } from "#shared/store/cases";
import type { CaseCounts } from "#shared/store/cases";
import { DemoFailedError } from "../errors.ts";
import { answerOf, openClient } from "../http/call-api.ts";
import type { Api, JsonOf } from "../http/call-api.ts";
import { progressTo } from "../print/print-answer.ts";

const PROGRESS_EVERY_MS = 3000;
const SNAPSHOT_TIMEOUT_MS = 5000;
const POLL_EVERY_MS = 400;
/** Consecutive snapshots in which nothing may move: a message between two places is seen in neither for a moment. */
const STILL_SNAPSHOTS = 4;
/** The same where fewer tasks are counted than were accepted. What does not appear by then is lost. */
const LOST_SNAPSHOTS = 25;

export interface Watch {
  readonly gateway: Api;
  readonly store: Store;
  readonly progress: Pick<Progress, "show">;
  /** Tasks in all. */
  readonly total: () => number;
  /** Returns true once all traffic was sent. */
  readonly isSent: () => boolean;
  readonly signal: AbortSignal;
  /** Time for it, in ms. */
  readonly withinMs: number;
}

/** Shows the progress until nothing moves any more. @throws {DemoFailedError} Something still does at the end. */
export async function watchUntilStill(watch: Watch): Promise<void> {
  const untilMs = now() + watch.withinMs;
  let moving: readonly string[] = [];
  let wanted = STILL_SNAPSHOTS;
  for (let still = 0; still < wanted; await sleep(POLL_EVERY_MS, watch.signal)) {
    if (now() > untilMs) {
      const what = moving.length === 0 ? "" : `: ${moving.join(", ")}`;
      const seconds = Math.round(watch.withinMs / 1000);
      throw new DemoFailedError(`something still moves after ${seconds} seconds${what}`);
    }
    const seen = await readSnapshot(watch);
    if (seen !== null) {
      watch.progress.show(seen, watch.total());
      moving = whatMoves(seen);
      wanted = seen.stats.equation.submitted < watch.total() ? LOST_SNAPSHOTS : STILL_SNAPSHOTS;
    }
    still = seen !== null && watch.isSent() && moving.length === 0 ? still + 1 : 0;
  }
}

export type Stats = Pick<JsonOf<"showStats">, "equation" | "waiting" | "runs" | "inbox">;

/** The counts of runs, queues and cases at one moment. */
export interface Snapshot {
  readonly stats: Stats;
  readonly cases: CaseCounts;
}

/** Reads a snapshot; null while the gateway or Redis is unavailable. */
export async function readSnapshot({
  gateway,
  store,
}: Pick<Watch, "gateway" | "store">): Promise<Snapshot | null> {
  try {
    const stats = await answerOf(openClient(gateway, SNAPSHOT_TIMEOUT_MS).GET("/v1/stats"));
    return { stats, cases: await store.cases.counts() };
  } catch {
    return null;
  }
}

/**
 * Names what still moves, with its count: nothing when every run has ended or waits for a person. A run whose branch
 * waits for a person has the status `running`; with all queues empty, that branch is what it waits for.
 */
export function whatMoves({ stats, cases }: Snapshot): string[] {
  const { waiting, runs, inbox } = stats;
  const running = waiting.quarantine === 0 ? (runs["running"] ?? 0) : 0;
  const open = OPEN_CASE_STATUSES.filter((status) => status !== "quarantined");
  const counts = {
    "runs queued": runs["queued"] ?? 0,
    "runs running": running,
    "runs in the ward": runs["in_ward"] ?? 0,
    "messages in queues": waiting.queue,
    "messages in retry": waiting.retry,
    "cases in the ward": open.reduce((sum, status) => sum + cases[status], 0),
    "dead messages not taken in yet": inbox,
  };
  return Object.entries(counts).flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []));
}

/** Prints how far the demo is. */
export class Progress {
  readonly #print = progressTo(process.stdout, PROGRESS_EVERY_MS);
  readonly #startedMs = now();

  get seconds(): number {
    return (now() - this.#startedMs) / 1000;
  }

  /** @param total - Tasks that the demo sends in all. */
  show({ stats, cases }: Snapshot, total: number): void {
    const { equation, waiting } = stats;
    const { completed, failed, expired, cancelled } = equation;
    const ended = completed + failed + expired + cancelled;
    const runs = `${ended} of ${total} ended (completed ${completed}, failed ${failed}, expired ${expired})`;
    const inWard = cases.admitted + cases.in_surgery;
    const healed = cases.discharged + cases.released;
    const places = `queues ${waiting.queue}, retry ${waiting.retry}, ward ${inWard}, for a person ${cases.quarantined}, healed ${healed}`;
    this.#print(`${Math.floor(this.seconds)} s: ${runs}; ${places}`);
  }
}
