import type { AnswerOf, ConsoleApi } from "#shared/api";
import type { BullmqWard, GroupReport } from "#shared/bullmq-ward";
import { sleep, uuidv7, wallNow } from "#shared/clock";
import { BatchStateError } from "#shared/ward";
import { AbsentError } from "../errors.ts";
import { attachedId } from "./attached-link.ts";
import type { AttachedLink } from "./attached-link.ts";

type Batch = AnswerOf<ConsoleApi["showApply"]>;
type BatchCase = AnswerOf<ConsoleApi["listApplyCases"]>["cases"][number];

/** One decision for a group of an attached queue. */
export interface Plan extends Pick<Batch, "fingerprint" | "decision" | "by" | "why"> {
  readonly group: string;
  readonly canary?: number | undefined;
  readonly ratePerSecond?: number | undefined;
  /** A person has looked whether effects may be repeated. */
  readonly acceptsEffects: boolean;
}

interface Work {
  readonly plan: Plan;
  readonly stopping: AbortController;
  batch: Batch;
  /** Ends with what is under way. */
  running: Promise<void>;
}

const CANARY_DEFAULT = 5;
const RATE_DEFAULT = 10;
/** Time after which jobs that were tried first count as pending, in ms. */
const CANARY_WAIT_MS = 60_000;
/** How long a request waits for what it has begun, in ms: most of it has ended by then. */
const WAIT_MS = 1000;
/** Pieces of work that are remembered, and entries of the audit that are looked through for one of them. */
const KEPT_MAX = 50;
const AUDIT_MAX = 1000;
/** Time for the undo of a batch, in ms: it goes through the whole audit of the queue. */
const UNDO_MS_MAX = 60_000;

const STOPPED = {
  canary_failed: "a job of the trial failed again",
  canary_pending: "the trial took too long",
  cancelled: "a person stopped it",
};

const BUSY: ReadonlySet<string> = new Set(["canary", "running"]);

/** Work on whole groups of one attached queue, in this process: a dry run, then the trial and the rest. */
export class Applies {
  private readonly link: AttachedLink;
  private readonly onChanged: () => void;
  private works: readonly Work[] = [];

  constructor(link: AttachedLink, onChanged: () => void) {
    this.link = link;
    this.onChanged = onChanged;
  }

  /** Returns what was planned since this process started, the newest first. */
  list(fingerprint?: string): Promise<Batch[]> {
    const own = this.works.filter(
      ({ plan }) => fingerprint === undefined || plan.fingerprint === fingerprint,
    );
    return Promise.all(own.map((work) => this.view(work)));
  }

  show(batchId: string): Promise<Batch> {
    return this.view(this.of(batchId));
  }

  /** Begins with a dry run. @throws {AttachedAwayError} */
  async plan(plan: Plan): Promise<Batch> {
    // A queue that is away is an error of this request.
    await this.link.use((ward) => ward.counts());
    const work = this.add(plan, uuidv7(), { state: "dry_run" });
    await this.run(work, true, ({ matched, sent, examples }) => ({
      state: matched === 0 ? "done" : "planned",
      total: matched,
      checked: matched,
      would_pass: sent,
      // Without values: some may be sensitive.
      examples: examples.map(({ id, changes }) => ({
        case_id: attachedId(this.link.name, id),
        changes: changes.map(({ op, path }) => `${op} ${path}`),
      })),
    }));
    return work.batch;
  }

  /** @throws {BatchStateError} It was not planned, or work on another group is under way. */
  async start(batchId: string): Promise<Batch> {
    const work = this.of(batchId);
    const { state, canary } = work.batch;
    if (state !== "planned") throw new BatchStateError(batchId, `it is ${state}`);
    if (this.works.some(({ batch }) => BUSY.has(batch.state)))
      throw new BatchStateError(batchId, "work on a group of this queue is under way");
    work.batch = { ...work.batch, state: canary > 0 ? "canary" : "running" };
    await this.run(work, false, (report) => ({
      state: report.stopped === null ? "done" : "stopped",
      decided: report.sent,
      refused: Object.values(report.held).reduce((sum, held) => sum + held, report.unrepaired),
      problem: problemOf(report),
    }));
    return work.batch;
  }

  /** Stops it after the job in hand. @throws {BatchStateError} It has ended. */
  async stop(batchId: string): Promise<Batch> {
    const work = this.of(batchId);
    const { state } = work.batch;
    if (state === "done" || state === "stopped") throw new BatchStateError(batchId, `it is ${state}`);
    work.stopping.abort();
    await work.running;
    if (work.batch.state !== "done") work.batch = { ...work.batch, state: "stopped" };
    return work.batch;
  }

  /** Undoes its edits, of those jobs that have failed again. */
  async undo(batchId: string, { by, why }: Pick<Plan, "by" | "why">): Promise<Batch> {
    const { plan } = this.of(batchId);
    const outcomes = await this.link.use((ward) => ward.undoBatch(unnamed(batchId), by), UNDO_MS_MAX);
    this.onChanged();
    const total = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
    const decided = outcomes.undone ?? 0;
    const counts = { total, decided, refused: total - decided };
    const undo = { ...plan, decision: "restore", by, why } as const;
    return this.add(undo, uuidv7(), { ...counts, state: "done", undoes: batchId, canary: 0 }).batch;
  }

  /** Returns what became of the jobs that it sent back, as far as the newest of the queue's audit goes. */
  async cases(batchId: string): Promise<BatchCase[]> {
    const { batch } = this.of(batchId);
    if (batch.decided === 0 || batch.decision === "restore") return [];
    return this.link.use(async (ward) => {
      const entries = await ward.newestAudit(AUDIT_MAX);
      const jobs = entries.flatMap((one) => (one["batch"] === unnamed(batchId) ? [one["job"] ?? ""] : []));
      return Promise.all(jobs.toReversed().map((job) => resultOf(ward, this.link.name, job)));
    });
  }

  private async view(work: Work): Promise<Batch> {
    const { batch } = work;
    // Away: then nothing is known of them.
    const cases = await this.cases(batch.batch_id).catch(() => []);
    const count = (wanted: BatchCase["result"]): number =>
      cases.filter(({ result }) => result === wanted).length;
    return {
      ...batch,
      went_on: count("went_on"),
      died_again: count("died_again"),
      under_way: count("under_way"),
    };
  }

  private of(batchId: string): Work {
    const found = this.works.find(({ batch }) => batch.batch_id === batchId);
    if (found === undefined) throw new AbsentError("batch");
    return found;
  }

  private add(plan: Plan, id: string, own: Partial<Batch> & Pick<Batch, "state">): Work {
    const { fingerprint, decision, by, why, canary = CANARY_DEFAULT, ratePerSecond = RATE_DEFAULT } = plan;
    const atMs = wallNow();
    const counts = { total: 0, checked: 0, would_pass: 0, decided: 0, refused: 0 };
    const results = { went_on: 0, died_again: 0, under_way: 0, left_behind: 0 };
    const batch = {
      batch_id: attachedId(this.link.name, id),
      fingerprint,
      decision,
      by,
      why,
      canary,
      rate_per_second: ratePerSecond,
      undoes: null,
      created_ms: atMs,
      changed_ms: atMs,
      problem: null,
      ...counts,
      ...results,
      ...own,
    };
    const work = { plan, stopping: new AbortController(), batch, running: Promise.resolve() };
    this.works = [work, ...this.works].slice(0, KEPT_MAX);
    return work;
  }

  /** Goes through the group. Resolves when that has ended, or after a second. */
  private async run(
    work: Work,
    isDryRun: boolean,
    toChange: (report: GroupReport) => Partial<Batch>,
  ): Promise<void> {
    const { plan, batch, stopping } = work;
    const { group, by, acceptsEffects } = plan;
    const end = (change: Partial<Batch>): void => {
      work.batch = { ...work.batch, ...change, changed_ms: wallNow() };
      this.onChanged();
    };
    const repair = batch.decision === "operate" ? "rules" : "none";
    const how = { by, repair, isDryRun, acceptsEffects, batch: unnamed(batch.batch_id) } as const;
    const bounds = {
      canary: batch.canary,
      ratePerSecond: batch.rate_per_second,
      canaryWaitMs: CANARY_WAIT_MS,
      signal: stopping.signal,
    };
    work.running = this.link
      .use((ward) => ward.applyToGroup(group, { ...how, ...bounds }), null)
      .then((report) => end(toChange(report)))
      .catch((error: unknown) =>
        end({ state: "stopped", problem: error instanceof Error ? error.message : String(error) }),
      );
    await Promise.race([work.running, sleep(WAIT_MS)]);
  }
}

/** The name that the queue's own audit has for it. */
function unnamed(batchId: string): string {
  return batchId.slice(batchId.lastIndexOf(":") + 1);
}

async function resultOf(ward: BullmqWard, agent: string, job: string): Promise<BatchCase> {
  const state = await ward.stateOf(job);
  const isFailed = state === "failed";
  // A job that is gone was removed on completion: one that is removed on failure is in no failed set.
  const isDone = state === "completed" || state === "unknown";
  return {
    case_id: attachedId(agent, job),
    status: isFailed ? "quarantined" : "released",
    agent,
    result: isFailed ? "died_again" : isDone ? "went_on" : "under_way",
  };
}

/** Why jobs were left alone; null if none were. */
function problemOf({ stopped, held, unrepaired }: GroupReport): string | null {
  const said = [
    ...(stopped === null ? [] : [`It ended early: ${STOPPED[stopped]}.`]),
    ...Object.entries(held).map(([reason, count]) => `${count} held (${reason.replaceAll("_", " ")}).`),
    ...(unrepaired === 0 ? [] : [`${unrepaired} without a proved repair.`]),
  ];
  return said.length === 0 ? null : said.join(" ");
}
