import { isObject } from "#shared/schema";
import type { RedisClient } from "#shared/store";
import { AttachedQueue } from "#shared/store/attached";
import type { AttachableQueue, HeldReason, Sent, Undone } from "#shared/store/attached";
import { DataContract } from "./data-contract.ts";
import type { DataContractOptions } from "./data-contract.ts";
import { CaseGroups } from "./group-cases.ts";
import type { CaseGroup } from "./group-cases.ts";
import { toCase } from "./job-case.ts";
import type { JobCase } from "./job-case.ts";
import { describeRemoved, isRemovedAfter } from "./keep-removed.ts";
import type { RemovableJob } from "./keep-removed.ts";
import { parseJson, proposeRepair } from "./propose.ts";
import type { Proposal } from "./propose.ts";

export interface BullmqWardOptions {
  /** A connection for the ward's own commands. The caller closes it. */
  readonly redis: RedisClient;
  /** Default: none; then jobs are grouped by their error alone, and nothing is repaired by rules. */
  readonly contract?: DataContractOptions;
  /**
   * `watch`: nothing moves by itself. `propose`: `sweep` counts proved repairs and leaves them to people. `redrive`:
   * `sweep` sends proved repairs back. Default `watch`.
   */
  readonly mode?: "watch" | "propose" | "redrive";
  /**
   * Whether the processor may run twice over one job: its effects are idempotent, or it has none. Without it nothing
   * goes back by itself, because an attempt may have stopped half-way. Default false.
   */
  readonly mayRepeatEffects?: boolean;
  /** Redrives of one job, at most. Default 3. */
  readonly redrivesMax?: number;
}

/** Why a job was not sent back. */
export type Hold = HeldReason | "effects_unknown" | "size_limit" | "unreadable" | "unrecoverable";

export type Redriven = Exclude<Sent, { kind: "held" }> | { readonly kind: "held"; readonly reason: Hold };

/** What one sweep found and did. */
export interface SweepReport {
  readonly cases: number;
  readonly groups: readonly CaseGroup[];
  /** Jobs with a proved repair. */
  readonly proposed: number;
  readonly redriven: number;
  /** Jobs with a proved repair that was held, by the reason. */
  readonly held: Readonly<Partial<Record<Hold, number>>>;
  /** Redrives of dead processes that were finished. */
  readonly recovered: number;
}

/** Descriptions of removed jobs that are kept, about. */
const KEPT_MAX = 10_000;

/** A ward beside a BullMQ queue that runs anyway: its failed set is the dead-letter queue, and nothing is moved. */
export class BullmqWard {
  readonly #queue: AttachedQueue;
  readonly #contract: DataContract | null;
  readonly #options: BullmqWardOptions;

  constructor(queue: AttachableQueue, options: BullmqWardOptions) {
    const { redrivesMax } = options;
    this.#queue = new AttachedQueue(queue, options.redis, redrivesMax === undefined ? {} : { redrivesMax });
    this.#contract = options.contract === undefined ? null : new DataContract(options.contract);
    this.#options = options;
  }

  /** Yields the cases of the failed jobs, oldest failure first, one page in memory. */
  async *cases(): AsyncGenerator<JobCase> {
    for await (const page of this.#queue.pages())
      for (const row of page) {
        const jobCase = toCase(this.#queue.name, row);
        if (jobCase !== null) yield jobCase;
      }
  }

  /** Yields the groups as they grow, after each page of jobs. The last one is complete. Writes nothing. */
  async *survey(): AsyncGenerator<readonly CaseGroup[]> {
    const groups = new CaseGroups();
    for await (const page of this.#queue.pages()) {
      for (const row of page) {
        const jobCase = toCase(this.#queue.name, row);
        if (jobCase !== null) groups.add(jobCase, this.#contract);
      }
      yield groups.list();
    }
  }

  /** Proposes a repair of a case's data by rules, proved against the contract. Writes nothing. */
  propose(jobCase: JobCase): Proposal {
    return proposeRepair(jobCase, this.#contract);
  }

  /** Writes data (JSON text) to a failed job, as a person edits it; it stays failed. @param by - Who, for the audit. */
  edit(jobCase: JobCase, data: string, by: string): Promise<Sent> {
    return this.#queue.edit(jobCase.id, { version: jobCase.version, data, by });
  }

  /**
   * Sends a failed job back by BullMQ's own `retry`, its attempts reset, or holds it with the reason.
   *
   * @param decision.data - JSON text to write to it first. Default: its data as it is.
   * @param decision.by - Who, for the audit.
   * @param decision.acceptsEffects - A person has looked whether effects may be repeated. Default: `mayRepeatEffects`.
   */
  async redrive(
    jobCase: JobCase,
    decision: { readonly data?: string; readonly by: string; readonly acceptsEffects?: boolean },
  ): Promise<Redriven> {
    const { data = null, by, acceptsEffects = this.#options.mayRepeatEffects === true } = decision;
    const reason = findHold(jobCase, data);
    if (reason !== null) return { kind: "held", reason };
    if (!acceptsEffects) return { kind: "held", reason: "effects_unknown" };
    return this.#queue.redrive(jobCase.id, { version: jobCase.version, data, by });
  }

  /** Writes back the data that a failed job had before its edits. */
  undo(id: string, by: string): Promise<Undone> {
    return this.#queue.undo(id, by);
  }

  /** Yields what was done to jobs, oldest first. */
  audit(): AsyncGenerator<Readonly<Record<string, string>>> {
    return this.#queue.audit();
  }

  /** Finishes the redrives of processes that have died. @param afterMs - Age of these. Default 30,000. */
  recover(afterMs?: number): Promise<number> {
    return this.#queue.recover(afterMs);
  }

  /** Goes through the failed jobs once and does what the mode allows. */
  async sweep(): Promise<SweepReport> {
    const { mode = "watch" } = this.#options;
    const recovered = mode === "redrive" ? await this.recover() : 0;
    const groups = new CaseGroups();
    const held: Partial<Record<Hold, number>> = {};
    let [cases, proposed, redriven] = [0, 0, 0];
    for await (const jobCase of this.cases()) {
      cases += 1;
      groups.add(jobCase, this.#contract);
      if (mode === "watch") continue;
      const proposal = this.propose(jobCase);
      if (proposal.kind === "none") continue;
      proposed += 1;
      if (mode === "propose") continue;
      const result = await this.redrive(jobCase, { data: proposal.data, by: "sweep" });
      if (result.kind === "held") held[result.reason] = (held[result.reason] ?? 0) + 1;
      else redriven += 1;
    }
    return { cases, groups: groups.list(), proposed, redriven, held, recovered };
  }

  /**
   * Wraps a processor so that a job which BullMQ removes when it fails (`removeOnFail: true`) leaves a description.
   * The processor's outcome stays the same, also if Redis does not take the description.
   *
   * @param options.workerRemoves - The worker's own `removeOnFail` is true. Default false.
   * @param options.onLost - Is called with the error if a description could not be kept.
   */
  keep<Arguments extends readonly [RemovableJob, ...unknown[]], Result>(
    process: (...args: Arguments) => Promise<Result>,
    options: { readonly workerRemoves?: boolean; readonly onLost?: (error: unknown) => void } = {},
  ): (...args: Arguments) => Promise<Result> {
    return async (...args) => {
      try {
        return await process(...args);
      } catch (error) {
        const [job] = args;
        if (isRemovedAfter(error, job, options.workerRemoves === true)) {
          await this.#queue
            .keep(describeRemoved(error, job), KEPT_MAX)
            .catch((lost: unknown) => options.onLost?.(lost));
        }
        throw error;
      }
    };
  }

  /** Yields the descriptions of removed jobs as JSON text, oldest first. */
  kept(): AsyncGenerator<string> {
    return this.#queue.kept();
  }

  /**
   * Deletes every key of the ward after exporting the cases. Jobs stay as they are; edits of theirs can no longer be
   * undone.
   *
   * @param onCase - Receives each failed job, with the data that it had before edits; null if it was not edited.
   */
  async detach(onCase: (jobCase: JobCase, original: string | null) => Promise<void> | void): Promise<void> {
    await this.recover(0);
    for await (const jobCase of this.cases()) await onCase(jobCase, await this.#queue.original(jobCase.id));
    await this.#queue.deleteOwnKeys();
  }
}

/** Returns why a job may not go back, of what its case shows; null for no reason. */
function findHold(jobCase: JobCase, data: string | null): Hold | null {
  if (data === null && jobCase.data === null) return "unreadable";
  // The processor said that this very data fails again.
  if (data === null && jobCase.stacktrace.includes("UnrecoverableError")) return "unrecoverable";
  const sizeLimit = sizeLimitOf(jobCase.options);
  return data !== null && sizeLimit !== null && Buffer.byteLength(data) > sizeLimit ? "size_limit" : null;
}

function sizeLimitOf(options: string): number | null {
  const read = parseJson(options);
  return isObject(read) && typeof read["sizeLimit"] === "number" ? read["sizeLimit"] : null;
}
