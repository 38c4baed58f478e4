import { now, sleep } from "#shared/clock";
import { DemoFailedError } from "../errors.ts";
import { readSnapshot, whatMoves } from "./snapshot.ts";
import type { SnapshotSource } from "./snapshot.ts";
import type { Progress } from "./progress.ts";

const POLL_EVERY_MS = 400;
/** Consecutive snapshots in which nothing may move: a message between two places is seen in neither for a moment. */
const STILL_SNAPSHOTS = 4;
/** The same where fewer tasks are counted than were accepted. What does not appear by then is lost. */
const LOST_SNAPSHOTS = 25;

export interface Watch extends SnapshotSource {
  readonly progress: Pick<Progress, "show">;
  /** Tasks in all. */
  readonly total: () => number;
  /** Whether all traffic was sent. */
  readonly isSent: () => boolean;
  readonly signal: AbortSignal;
  /** Time for it, in ms. */
  readonly withinMs: number;
}

/** Shows the progress until nothing moves any more. @throws {DemoFailedError} Something still does at the end. */
export async function watchUntilStill(watch: Watch): Promise<void> {
  const untilMs = now() + watch.withinMs;
  let moving: readonly string[] = [];
  let stillCount = 0;
  let wantedCount = STILL_SNAPSHOTS;
  while (stillCount < wantedCount) {
    if (now() > untilMs) {
      const what = moving.length === 0 ? "" : `: ${moving.join(", ")}`;
      throw new DemoFailedError(
        `something still moves after ${Math.round(watch.withinMs / 1000)} seconds${what}`,
      );
    }
    const seen = await readSnapshot(watch);
    if (seen !== null) {
      watch.progress.show(seen, watch.total());
      moving = whatMoves(seen);
      wantedCount = seen.stats.equation.submitted < watch.total() ? LOST_SNAPSHOTS : STILL_SNAPSHOTS;
    }
    stillCount = seen !== null && watch.isSent() && moving.length === 0 ? stillCount + 1 : 0;
    await sleep(POLL_EVERY_MS, watch.signal);
  }
}
