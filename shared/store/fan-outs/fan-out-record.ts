import type { Job } from "../queues/handoff-queues.ts";
import type { RunChange } from "../runs/run-event.ts";

/** A branch that is not started: sealed, and in no queue yet. */
export interface HeldBranch {
  readonly index: number;
  readonly send: Job;
  /** Change of its run when it is started. */
  readonly change: RunChange;
}

/** A fan-out as its coordinator opens it, at the joining agent (fan-in). */
export interface FanOutOpening {
  /** Id of the message that waits for the branches. */
  readonly fanOutId: string;
  /** Agent that joins the branches. */
  readonly join: string;
  /** Fields of its hash, but for the message that waits and the branches. Times in ms, money in millionths. */
  readonly terms: {
    readonly run_id: string;
    readonly opened: number;
    /** Number of branches. */
    readonly total: number;
    /** Answers after which the join starts before all branches have ended. */
    readonly needed: number;
    /** Minimum answers for the join's condition to be met. */
    readonly least: number;
    /** Maximum branches in progress at once. */
    readonly window: number;
    /** Maximum bytes of all answers together, as JSON text. */
    readonly bytes_max: number;
    /** Deadline at which the join starts with the answers there are, and expiry of the waiting message; "": none. */
    readonly deadline: number | "";
    readonly expires: number | "";
    /** Cost and tokens that its run had spent before, and the rest that is left for the branches. */
    readonly base_cost: number;
    readonly base_tokens: number;
    readonly cost_left: number;
    readonly tokens_left: number;
  };
  /** The waiting message. */
  readonly message: Job;
  /** Branches that the coordinator sends itself. */
  readonly started: readonly number[];
  /** Branches whose handoff is in the ward. */
  readonly parked: readonly number[];
  readonly held: readonly HeldBranch[];
}

/** `held`: not started; `started`: queued or at work; `parked`: in the ward; `answered`; `failed`: for good. */
export type BranchState = "held" | "started" | "parked" | "answered" | "failed";

/** Reason for which a branch gave no answer. */
export interface BranchFailure {
  /**
   * `ended`: its message ended on the way or was discarded; `elsewhere`: it completed without returning to the join;
   * `not_started`: no time or budget was left; `too_large`: its answer was too large; `unreadable`: the join does not
   * know the version of its answer; `unanswered`: it was in progress or in the ward when the join started.
   */
  readonly reason: "ended" | "elsewhere" | "not_started" | "too_large" | "unreadable" | "unanswered";
  /** Error code, if known. */
  readonly code?: string;
}

/** Reason for which a join started. */
export type FiredBy = "met" | "settled" | "unmet" | "deadline" | "expired" | "cancelled";

const STATES: Readonly<Record<string, BranchState>> = {
  s: "started",
  p: "parked",
  a: "answered",
  f: "failed",
};

/** A fan-out as stored at its join. */
export type FanOutRecord = Readonly<NonNullable<ReturnType<typeof toFanOutRecord>>>;

/** Parses a fan-out's hash; null if there is none. */
export function toFanOutRecord(fanOutId: string, fields: Readonly<Record<string, string>>) {
  if (fields["total"] === undefined) return null;
  const count = (name: string): number => Number(fields[name] ?? 0);
  const instant = (name: string): number | null => (fields[name] ? Number(fields[name]) : null);
  const total = count("total");
  const indexes = Array.from({ length: total }, (_, index) => index);
  return {
    fanOutId,
    runId: fields["run_id"] ?? "",
    openedMs: count("opened"),
    total,
    least: count("least"),
    deadlineMs: instant("deadline"),
    expiresMs: instant("expires"),
    // `advance` writes one of the closed list.
    firedBy: (fields["why"] ?? null) as FiredBy | null,
    /** Sum of what the returned branches have spent. */
    costMicro: count("cost"),
    tokens: count("tokens"),
    /** By branch number. */
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

/** Returns the hash fields of a new fan-out, but for the message that waits. */
export function toFields({ terms, started, parked }: FanOutOpening): Record<string, string | number> {
  return {
    ...terms,
    under_way: started.length,
    ...Object.fromEntries(started.map((index) => [`b:${index}`, "s"])),
    ...Object.fromEntries(parked.map((index) => [`b:${index}`, "p"])),
  };
}
