import type { RedisClient } from "#shared/store";
import type { HeldReason, Sent, Undone } from "#shared/store/attached";
import type { DataContractOptions } from "./data-contract.ts";
import type { CaseGroup } from "./group-cases.ts";
import type { JobCase } from "./job-case.ts";
import type { Proposal, WardRecipe } from "./propose.ts";

/** `watch`: nothing moves by itself. `propose`: proved repairs wait for people. `redrive`: `sweep` sends them back. */
export type WardMode = "watch" | "propose" | "redrive";

export interface BullmqWardOptions {
  /** An ioredis connection for the ward's own commands, without `keyPrefix`. The caller closes it. */
  readonly redis: RedisClient;
  /** Default: none; then jobs are grouped by their error alone, and nothing is repaired by rules. */
  readonly contract?: DataContractOptions;
  /** Default `watch`. */
  readonly mode?: WardMode;
  /**
   * True: the processor may run twice over one job: its effects are idempotent, or it has none. Without it nothing
   * goes back by itself, because an attempt may have stopped half-way. Default false.
   */
  readonly mayRepeatEffects?: boolean;
  /** Redrives of one job, at most. Default 3. */
  readonly redrivesMax?: number;
}

/** Reason for which a job was not sent back. */
export type Hold = HeldReason | "effects_unknown" | "size_limit" | "unreadable" | "unrecoverable";

export type Redriven = Exclude<Sent, { kind: "held" }> | { readonly kind: "held"; readonly reason: Hold };

/** A person's decision to send a job back. */
export interface RedriveDecision {
  /** JSON text to write to the job first. Default: its data as it is. */
  readonly data?: string;
  /** Name of the person, for the audit. */
  readonly by: string;
  /** A person has looked whether effects may be repeated. Default: `mayRepeatEffects`. */
  readonly acceptsEffects?: boolean | undefined;
  /** The batch that it belongs to, for the audit. Default: none. */
  readonly batch?: string;
}

/** Counts of one sweep. */
export interface SweepReport {
  /** False: it was told to end before it had seen every failed job, and counts those it saw. */
  readonly complete: boolean;
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

/** The part of a ward that sweeps and batches use. */
export interface WardSteps {
  cases(): AsyncGenerator<JobCase>;
  find(id: string): Promise<JobCase | null>;
  groupOf(jobCase: JobCase): string;
  recipes(): Promise<readonly WardRecipe[]>;
  propose(jobCase: JobCase, recipes: readonly WardRecipe[]): Promise<Proposal>;
  redrive(jobCase: JobCase, decision: RedriveDecision): Promise<Redriven>;
  undo(id: string, by: string): Promise<Undone>;
  recover(): Promise<number>;
  stateOf(id: string): Promise<string>;
}
