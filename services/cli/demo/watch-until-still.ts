import { now, sleep } from "#shared/clock";
import { DemoFailedError } from "../errors.ts";
import { isStill, look } from "./look.ts";
import type { Lookout } from "./look.ts";
import type { Progress } from "./progress.ts";

const LOOK_EVERY_MS = 400;
/** Looks in a row that have to find nothing moving: a message between two places is seen in neither for a moment. */
const STILL_LOOKS = 4;

export interface Watch extends Lookout {
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
  let stillLooks = 0;
  while (stillLooks < STILL_LOOKS) {
    if (now() > untilMs) {
      throw new DemoFailedError(`something still moves after ${Math.round(watch.withinMs / 1000)} seconds`);
    }
    const seen = await look(watch);
    if (seen !== null) watch.progress.show(seen, watch.total());
    stillLooks = seen !== null && watch.isSent() && isStill(seen, watch.total()) ? stillLooks + 1 : 0;
    await sleep(LOOK_EVERY_MS, watch.signal);
  }
}
