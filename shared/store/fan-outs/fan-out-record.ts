import type { Job } from "../queues/handoff-queues.ts";
import type { RunChange } from "../runs/run-event.ts";

/** A branch that waits to be started: sealed, and in no queue yet. */
export interface HeldBranch {
  readonly index: number;
  readonly send: Job;
  /** What its run is told when it is started. */
  readonly change: RunChange;
  /** By when its receiver must accept it, once it is started. Default: nobody waits for that. */
  readonly awaited?: BranchAwaited;
}

/** An acknowledgement that the coordinator of a fan-out will wait for. */
export interface BranchAwaited {
  readonly sender: string;
  readonly messageId: string;
  readonly agent: string;
  readonly withinMs: number;
}

/** A fan-out as its coordinator opens it, at the agent that joins it. */
export interface FanOutOpening {
  /** The message that waits for the branches. */
  readonly fanOutId: string;
  /** The agent that joins them. */
  readonly join: string;
  readonly runId: string;
  readonly openedMs: number;
  /** Branches in all. */
  readonly total: number;
  /** Answers at which the join is let go before all branches are through. */
  readonly needed: number;
  /** Answers with fewer of which the join's condition is not met. */
  readonly least: number;
  /** Branches under way at once. */
  readonly window: number;
  /** Of all answers together, as JSON text. */
  readonly bytesMax: number;
  /** When the join is let go with what is there; null: never. */
  readonly deadlineMs: number | null;
  /** When the message that waits expires; null: never. */
  readonly expiresMs: number | null;
  /** What its run had spent before, and what it has left for the branches. */
  readonly spent: { readonly costMicro: number; readonly tokens: number };
  readonly left: { readonly costMicro: number; readonly tokens: number };
  /** The message that waits; null when it lies in the ward and comes from there. */
  readonly message: Job | null;
  /** Branches that are sent by the coordinator itself. */
  readonly started: readonly number[];
  /** Branches whose handoff lies in the ward. */
  readonly parked: readonly number[];
  readonly held: readonly HeldBranch[];
}

/**
 * Where a branch is. `held`: not started; `started`: a queue or an agent has it; `parked`: it waits in the ward;
 * `answered`: it came back; `failed`: it never will.
 */
export type BranchState = "held" | "started" | "parked" | "answered" | "failed";

/** Why a branch gave no answer. */
export interface BranchFailure {
  /**
   * `ended`: its message ended on the way, or was discarded; `elsewhere`: it completed without coming back;
   * `not_started`: there was no time or money for it; `too_large`: its answer was; `unreadable`: its answer is of no
   * version that the join knows; `unanswered`: it was under way, or in the ward, when the join was let go.
   */
  readonly reason: "ended" | "elsewhere" | "not_started" | "too_large" | "unreadable" | "unanswered";
  /** Of the error, where one is known. */
  readonly code?: string;
}

/** Why a join was let go. */
export type FiredBy = "met" | "settled" | "unmet" | "deadline" | "expired" | "cancelled";

/** A fan-out as the slot that keeps it knows it. */
export interface FanOutRecord {
  readonly fanOutId: string;
  /** The agent that joins it, where another slot than that agent's keeps it; null: the agent's own. */
  readonly join: string | null;
  readonly runId: string;
  readonly openedMs: number;
  readonly total: number;
  readonly least: number;
  readonly deadlineMs: number | null;
  readonly expiresMs: number | null;
  readonly firedBy: FiredBy | null;
  /** What the branches that came back have spent. */
  readonly costMicro: number;
  readonly tokens: number;
  readonly answered: number;
  /** By the branch's number. */
  readonly states: readonly BranchState[];
  readonly failures: ReadonlyMap<number, BranchFailure>;
}

const STATES: Readonly<Record<string, BranchState>> = {
  s: "started",
  p: "parked",
  a: "answered",
  f: "failed",
};

/** A fan-out's hash; null when there is none. */
export function toFanOutRecord(
  fanOutId: string,
  fields: Readonly<Record<string, string>>,
): FanOutRecord | null {
  if (fields["total"] === undefined) return null;
  const count = (name: string): number => Number(fields[name] ?? 0);
  const instant = (name: string): number | null => (fields[name] ? Number(fields[name]) : null);
  const total = count("total");
  const indexes = Array.from({ length: total }, (_, index) => index);
  return {
    fanOutId,
    join: fields["join"] ?? null,
    runId: fields["run_id"] ?? "",
    openedMs: count("opened"),
    total,
    least: count("least"),
    deadlineMs: instant("deadline"),
    expiresMs: instant("expires"),
    // Written by `advance` from the closed list.
    firedBy: (fields["why"] ?? null) as FiredBy | null,
    costMicro: count("cost"),
    tokens: count("tokens"),
    answered: count("answered"),
    states: indexes.map((index) => STATES[fields[`b:${index}`] ?? ""] ?? "held"),
    failures: new Map(
      indexes.flatMap((index) => {
        const text = fields[`x:${index}`];
        // Written as a BranchFailure by our own scripts and by `tend`.
        return text === undefined ? [] : [[index, JSON.parse(text) as BranchFailure] as const];
      }),
    ),
  };
}

/** The fields of a fan-out's hash at its opening, in the slot that keeps it. */
export function toFields(opening: FanOutOpening, slot: string): Record<string, string | number> {
  return {
    ...(slot === opening.join ? {} : { join: opening.join }),
    run_id: opening.runId,
    opened: opening.openedMs,
    total: opening.total,
    needed: opening.needed,
    least: opening.least,
    window: opening.window,
    bytes_max: opening.bytesMax,
    deadline: opening.deadlineMs ?? "",
    expires: opening.expiresMs ?? "",
    base_cost: opening.spent.costMicro,
    base_tokens: opening.spent.tokens,
    cost_left: opening.left.costMicro,
    tokens_left: opening.left.tokens,
    message: opening.message === null ? "" : JSON.stringify(opening.message),
    under_way: opening.started.length,
    ...Object.fromEntries(opening.started.map((index) => [`b:${index}`, "s"])),
    ...Object.fromEntries(opening.parked.map((index) => [`b:${index}`, "p"])),
  };
}
