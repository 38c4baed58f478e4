import type { GroupDecision, GroupReport } from "#shared/bullmq-ward";
import { wallNow } from "#shared/clock";
import { AbsentError, AttachedBusyError } from "../errors.ts";
import type { AttachedLink } from "./attached-link.ts";

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
