import { createHmac, randomBytes } from "node:crypto";
import type { CaseGroup, GroupDecision, GroupReport, JobCase } from "#shared/bullmq-ward";
import { now, sleep, wallNow } from "#shared/clock";
import { AbsentError, AttachedBusyError } from "../errors.ts";
import { AttachedLink } from "./attached-link.ts";
import type { AttachedTarget } from "./attached-link.ts";

/** One attached queue. */
export interface AttachedQueueParts {
  readonly name: string;
  readonly hasContract: boolean;
  readonly link: AttachedLink;
  readonly survey: Survey;
  readonly work: GroupWork;
}

/** The attached queues of a console. None of them is connected before somebody looks. */
export class AttachedQueues {
  private readonly queues: readonly AttachedQueueParts[];
  private readonly versionKey = randomBytes(32);

  constructor(targets: readonly AttachedTarget[]) {
    this.queues = targets.map((target) => {
      const link = new AttachedLink(target);
      const hasContract = target.contract !== null;
      return { name: target.name, hasContract, link, survey: new Survey(link), work: new GroupWork(link) };
    });
  }

  list(): readonly AttachedQueueParts[] {
    return this.queues;
  }

  /** @throws {AbsentError} No queue of this name is attached. */
  of(name: string): AttachedQueueParts {
    const found = this.queues.find((queue) => queue.name === name);
    if (found === undefined) throw new AbsentError("attached queue");
    return found;
  }

  /**
   * Returns the version of a case's data as people get it. It is keyed, because short values could be found from a
   * plain digest; another process, or this one after a restart, gives another one.
   */
  versionOf({ queue, id, version }: JobCase): string {
    return createHmac("sha256", this.versionKey)
      .update(JSON.stringify([queue, id, version]))
      .digest("base64url");
  }

  close(): void {
    for (const { link } of this.queues) link.close();
  }
}

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
class Survey {
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

/** Work on the jobs of one group. */
export interface GroupWorkState {
  readonly group: string;
  readonly by: string;
  readonly isDryRun: boolean;
  readonly beganMs: number;
  readonly state: "running" | "ended" | "failed";
  /** Null until it has ended. */
  readonly report: GroupReport | null;
  /** Why it failed. Null: it did not. */
  readonly problem: string | null;
}

/** Time after which jobs that were tried first count as pending, in ms. */
const CANARY_WAIT_MS = 60_000;

/** Works on the groups of one attached queue, one at a time, for as long as it takes. */
export class GroupWork {
  private readonly link: AttachedLink;
  private latest: GroupWorkState | null = null;
  private stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(link: AttachedLink) {
    this.link = link;
  }

  /** The newest; null if there was none since this process started. */
  get state(): GroupWorkState | null {
    return this.latest;
  }

  /** Starts, and resolves when it has ended. @throws {AttachedBusyError} */
  start(group: string, decision: Omit<GroupDecision, "signal" | "canaryWaitMs">): Promise<void> {
    if (this.latest?.state === "running") throw new AttachedBusyError(this.link.name);
    this.stopping = new AbortController();
    const { by, isDryRun = false } = decision;
    const nothingYet = { report: null, problem: null };
    this.latest = { group, by, isDryRun, beganMs: wallNow(), state: "running", ...nothingYet };
    this.running = this.work(group, decision);
    return this.running;
  }

  /** Stops what is under way, after the job in hand. @throws {AbsentError} Nothing is. */
  async stop(): Promise<GroupWorkState> {
    this.stopping.abort();
    await this.running;
    return this.begun();
  }

  /** Returns the newest. @throws {AbsentError} There was none since this process started. */
  begun(): GroupWorkState {
    if (this.latest === null) throw new AbsentError("work on a group");
    return this.latest;
  }

  private async work(group: string, decision: Omit<GroupDecision, "signal" | "canaryWaitMs">): Promise<void> {
    const { signal } = this.stopping;
    const end = (ended: Pick<GroupWorkState, "state" | "report" | "problem">): void => {
      if (this.latest !== null) this.latest = { ...this.latest, ...ended };
    };
    try {
      const whole = { ...decision, signal, canaryWaitMs: CANARY_WAIT_MS };
      const report = await this.link.use((ward) => ward.applyToGroup(group, whole), null);
      end({ state: "ended", report, problem: null });
    } catch (error) {
      end({ state: "failed", report: null, problem: error instanceof Error ? error.message : String(error) });
    }
  }
}
