import { now, sleep } from "#shared/clock";
import { DemoFailedError } from "../errors.ts";
import { isStill, readSnapshot } from "./snapshot.ts";
import type { SnapshotSource } from "./snapshot.ts";
import type { Progress } from "./progress.ts";

const POLL_EVERY_MS = 400;
/** Consecutive snapshots in which nothing may move: a message between two places is seen in neither for a moment. */
const STILL_SNAPSHOTS = 4;

export interface Watch extends SnapshotSource {
  readonly progress: Progress;
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
  let stillCount = 0;
  while (stillCount < STILL_SNAPSHOTS) {
    if (now() > untilMs) {
      throw new DemoFailedError(`something still moves after ${Math.round(watch.withinMs / 1000)} seconds`);
    }
    const seen = await readSnapshot(watch);
    if (seen !== null) watch.progress.show(seen, watch.total());
    stillCount = seen !== null && watch.isSent() && isStill(seen, watch.total()) ? stillCount + 1 : 0;
    await sleep(POLL_EVERY_MS, watch.signal);
  }
}
