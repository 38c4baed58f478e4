import { now, sleep, wallNow } from "#shared/clock";
import type { CaseGroup } from "#shared/bullmq-ward";
import type { AttachedLink } from "./attached-link.ts";

/** Groups of a queue's failed jobs at one time. */
export interface Surveyed {
  readonly atMs: number;
  readonly looked: number;
  /** False while it is the first one and goes on, or if it took too long. */
  readonly isComplete: boolean;
  readonly groups: readonly CaseGroup[];
}

/** Pause between two surveys of one queue, in ms; or twice the time of the last one, if that is longer. */
const EVERY_MS = 3000;
/** Time of one survey, in ms. Jobs that were not looked at by then are not counted. */
const SURVEY_MS_MAX = 30_000;
/** How long a request waits for a survey that is under way, in ms. */
const WAIT_MS = 500;

/** Surveys one attached queue when somebody looks, one survey at a time, and remembers the newest. */
export class Survey {
  private readonly link: AttachedLink;
  private latest: Surveyed | null = null;
  private running: Promise<void> | null = null;
  private nextAtMs = 0;

  constructor(link: AttachedLink) {
    this.link = link;
  }

  /** Returns the newest survey, after waiting for half a second at most for one that is under way or due. */
  async look(): Promise<Surveyed | null> {
    if (this.running === null && now() >= this.nextAtMs)
      this.running = this.survey()
        // The queue is away: its counts say so.
        .catch(() => undefined)
        .finally(() => (this.running = null));
    if (this.running !== null) await Promise.race([this.running, sleep(WAIT_MS)]);
    return this.latest;
  }

  /** Makes the next look survey anew: jobs were changed. */
  expire(): void {
    this.nextAtMs = 0;
  }

  private async survey(): Promise<void> {
    const beganMs = now();
    const keep = (groups: readonly CaseGroup[], isComplete: boolean): void => {
      const looked = groups.reduce((sum, { count }) => sum + count, 0);
      this.latest = { atMs: wallNow(), looked, isComplete, groups };
    };
    // Set before it begins, so that what is changed meanwhile can bring the next one forward.
    this.nextAtMs = Infinity;
    try {
      // Finishes what a process that died had begun to send.
      const pages = await this.link.use(async (ward) => {
        await ward.recover();
        return ward.survey();
      });
      let groups: readonly CaseGroup[] = [];
      for (;;) {
        const page = await this.link.use(() => pages.next());
        if (page.done === true) return keep(groups, true);
        groups = page.value;
        if (this.latest === null || !this.latest.isComplete) keep(groups, false);
        if (now() - beganMs > SURVEY_MS_MAX) {
          await pages.return(undefined);
          return keep(groups, false);
        }
      }
    } finally {
      const tookMs = now() - beganMs;
      if (this.nextAtMs === Infinity) this.nextAtMs = now() + Math.max(EVERY_MS, 2 * tookMs);
    }
  }
}
