import type { Issue } from "#shared/errors";
import { isObject, jsonValueOf } from "#shared/schema";
import { AttachedQueue } from "#shared/store/attached";
import type { AttachableQueue, FailedPlace, JobCounts, Sent, Undone } from "#shared/store/attached";
import { applyToGroup } from "./batches/apply-to-group.ts";
import type { GroupDecision, GroupReport } from "./batches/apply-to-group.ts";
import { DataContract, WardOptionsInvalidError } from "./data-contract.ts";
import { describeCase } from "./describe-case.ts";
import { FailedJobs } from "./batches/failed-jobs.ts";
import { CaseGroups, groupOf } from "./group-cases.ts";
import type { CaseGroup } from "./group-cases.ts";
import { toCase } from "./job-case.ts";
import type { JobCase } from "./job-case.ts";
import type { BullmqWardOptions, Hold, RedriveDecision, Redriven, SweepReport } from "./options.ts";
import type { Learned, Proposal, WardRecipe } from "./propose.ts";
import { runSweeps, sweepOnce } from "./sweep.ts";
import type { RunOptions } from "./sweep.ts";

/** A ward beside a BullMQ queue that runs anyway: its failed set is the dead-letter queue, and nothing is moved. */
export class BullmqWard {
  readonly #engine: AttachableQueue;
  readonly #queue: AttachedQueue;
  readonly #contract: DataContract | null;
  readonly #options: BullmqWardOptions;

  /** @throws {WardOptionsInvalidError} An option cannot be used. */
  constructor(queue: AttachableQueue, options: BullmqWardOptions) {
    const { redis, redrivesMax, contract } = options;
    if ("keyPrefix" in redis.options && Boolean(redis.options.keyPrefix))
      throw new WardOptionsInvalidError("redis", "with `keyPrefix` it would see other keys than BullMQ");
    this.#engine = queue;
    this.#queue = new AttachedQueue(queue, redis, redrivesMax);
    this.#contract = contract === undefined ? null : new DataContract(contract);
    this.#options = options;
  }

  /** Yields the cases of failed jobs, oldest first, one page in memory. @param after - Begins behind this case. */
  async *cases(after: FailedPlace | null = null): AsyncGenerator<JobCase> {
    for await (const page of this.#queue.pages(after))
      for (const row of page) yield toCase(this.#engine.name, row);
  }

  /** Returns the case of one job; null if it is not failed. */
  async find(id: string): Promise<JobCase | null> {
    const row = await this.#queue.find(id);
    return row === null ? null : toCase(this.#engine.name, row);
  }

  /** Returns how many jobs the queue has, by state. */
  counts(): Promise<JobCounts> {
    return this.#queue.counts();
  }

  /** Returns the id of the group of `survey` that a case belongs to. */
  groupOf(jobCase: JobCase): string {
    return groupOf(jobCase, this.#contract).id;
  }

  /** Returns the faults of data (JSON text) against the contract; none if there is no contract. */
  findFaults(data: string): readonly Issue[] {
    const value = jsonValueOf(data);
    if (value === undefined) return [{ path: "", code: "not_json", message: "it is not JSON text" }];
    return this.#contract?.findFaults(this.#contract.part(value)) ?? [];
  }

  /** Yields the groups as they grow, after each page of jobs. The last one is complete. Writes nothing. */
  async *survey(): AsyncGenerator<readonly CaseGroup[]> {
    const groups = new CaseGroups();
    for await (const page of this.#queue.pages()) {
      for (const row of page) groups.add(toCase(this.#engine.name, row), this.#contract);
      yield groups.list();
    }
  }

  /** Returns a case for people to read, with what the contract marks as `x-sensitive` masked everywhere in it. */
  describe(jobCase: JobCase): JobCase {
    return describeCase(jobCase, this.#contract);
  }

  /** Proposes a repair of a case's data, proved against the contract. @param recipes - Default: none. */
  async propose(jobCase: JobCase, recipes: readonly WardRecipe[] = []): Promise<Proposal> {
    // Loaded where it is used: a ward that only watches needs no repair.
    const { proposeRepair } = await import("./propose.ts");
    return proposeRepair(jobCase, this.#contract, recipes);
  }

  /** Writes data (JSON text) to a failed job, as a person edits it; it stays failed. @param by - Who, for the audit. */
  async edit(jobCase: JobCase, data: string, by: string): Promise<Sent> {
    assertJson(data);
    return this.#queue.edit(jobCase.id, { version: jobCase.version, data, by });
  }

  /** Sends a failed job back by BullMQ's own `retry`, its attempts reset, or holds it with the reason. */
  async redrive(jobCase: JobCase, decision: RedriveDecision): Promise<Redriven> {
    const { data = null, by, batch, acceptsEffects = this.#options.mayRepeatEffects === true } = decision;
    if (data !== null) assertJson(data);
    const reason = findHold(jobCase, data);
    if (reason !== null) return { kind: "held", reason };
    if (!acceptsEffects) return { kind: "held", reason: "effects_unknown" };
    return this.#queue.redrive(jobCase.id, { version: jobCase.version, data, by, batch });
  }

  /** Sends the jobs of one group of `survey` back, after a trial with a few of them if that is asked for. */
  applyToGroup(id: string, decision: GroupDecision): Promise<GroupReport> {
    const { acceptsEffects = this.#options.mayRepeatEffects === true } = decision;
    const jobs = new FailedJobs(this.#engine.name, (work) => work(this));
    return applyToGroup(jobs, { id, decision: { ...decision, acceptsEffects } });
  }

  /** Returns where BullMQ has a job: `completed`, `failed`, `active`, …; `unknown` if it is gone. */
  stateOf(id: string): Promise<string> {
    return this.#engine.getJobState(id);
  }

  /** Writes back the data that a failed job had before its edits. */
  undo(id: string, by: string): Promise<Undone> {
    return this.#queue.undo(id, by);
  }

  /** Undoes the edits of a batch, of those jobs that have failed again. @returns How many jobs had which outcome. */
  async undoBatch(batch: string, by: string): Promise<Readonly<Partial<Record<Undone, number>>>> {
    const outcomes: Partial<Record<Undone, number>> = {};
    for await (const entry of this.audit()) {
      if (entry["batch"] !== batch || entry["job"] === undefined) continue;
      const outcome = await this.undo(entry["job"], by);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
    return outcomes;
  }

  /** Yields what was done to jobs, oldest first. */
  audit(): AsyncGenerator<Readonly<Record<string, string>>> {
    return this.#queue.audit();
  }

  /** Returns what was done to jobs last, newest first. */
  newestAudit(count: number): Promise<readonly Readonly<Record<string, string>>[]> {
    return this.#queue.newestAudit(count);
  }

  /** Derives a recipe from what a person makes of a case's data; `sweep` then repairs jobs of the same fault by it. */
  async learn(jobCase: JobCase, data: string, by: string): Promise<Learned> {
    const { learnFromRepair } = await import("./propose.ts");
    return learnFromRepair(this.#queue, this.#contract, { jobCase, data, by });
  }

  async recipes(): Promise<readonly WardRecipe[]> {
    const { readRecipes } = await import("./propose.ts");
    return readRecipes(this.#queue);
  }

  /** Deletes a recipe. @returns False if there is none of this id. */
  forgetRecipe(id: string): Promise<boolean> {
    return this.#queue.deleteRecipe(id);
  }

  /** Finishes the redrives of processes that have died. @param afterMs - Age of these. Default 30,000. */
  recover(afterMs?: number): Promise<number> {
    return this.#queue.recover(afterMs);
  }

  /** Goes through the failed jobs once and does what the mode allows. @param options.signal - Ends it early. */
  async sweep(options: { readonly signal?: AbortSignal } = {}): Promise<SweepReport> {
    const { mode = "watch" } = this.#options;
    const report = await sweepOnce(this, { mode, contract: this.#contract, ...options });
    await this.#queue.forget(report.redriven);
    return report;
  }

  /** Sweeps again and again until the signal. Resolves when it has ended; failed sweeps go to `onError`. */
  run(options: RunOptions): Promise<void> {
    return runSweeps((scope) => this.sweep(scope), options);
  }

  /**
   * Deletes every key of the ward after exporting what it holds. Jobs stay as they are; edits of theirs can no longer
   * be undone. Stop every other instance first.
   *
   * @param receive.onCase - Receives each failed job, with the data that it had before edits; null if there were none.
   * @param receive.onAll - Is called when all were received, before anything is deleted. Default: nothing.
   */
  async detach(receive: {
    readonly onCase: (jobCase: JobCase, original: string | null) => Promise<void> | void;
    readonly onAll?: () => Promise<void> | void;
  }): Promise<void> {
    await this.recover(0);
    for await (const page of this.#queue.pages())
      for (const row of page)
        await receive.onCase(toCase(this.#engine.name, row), await this.#queue.original(row));
    await receive.onAll?.();
    await this.#queue.deleteOwnKeys();
  }
}

function assertJson(data: string): void {
  if (jsonValueOf(data) === undefined) throw new WardOptionsInvalidError("data", "it is not JSON text");
}

/** Returns why a job may not go back, of what its case shows; null for no reason. */
function findHold(jobCase: JobCase, data: string | null): Hold | null {
  if (!isReadByBullmq(jobCase, data ?? jobCase.data)) return "unreadable";
  // The processor said that this very data fails again.
  if (data === null && jobCase.stacktrace.includes("UnrecoverableError")) return "unrecoverable";
  const sizeLimit = sizeLimitOf(jobCase.options);
  return data !== null && sizeLimit !== null && Buffer.byteLength(data) > sizeLimit ? "size_limit" : null;
}

/** BullMQ parses data, options and parent whenever it loads a job, in its own `retry` and in every worker. */
function isReadByBullmq({ options, parent }: JobCase, data: string | null): boolean {
  const read = [options, data, parent ?? ""].map((text) => (text === "" ? {} : jsonValueOf(text ?? "")));
  return read[0] !== null && !read.includes(undefined);
}

function sizeLimitOf(options: string): number | null {
  const read = jsonValueOf(options);
  return isObject(read) && typeof read["sizeLimit"] === "number" ? read["sizeLimit"] : null;
}
