import { isObjectWith, readJson } from "../read-fields.ts";

/**
 * What happened in a run, as the log, the event stream and the console show it. Append-only; the id is derived from
 * what happened, so that telling it twice is telling it once.
 */
export interface RunEvent {
  readonly id: string;
  readonly run_id: string;
  readonly type: RunEventType;
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly message_id: string | null;
  readonly agent: string | null;
  /** What belongs to this type: hop, attempt, reason, class, tokens, cost, case id … No payload, no secret. */
  readonly detail: Readonly<Record<string, unknown>>;
}

export type RunEventType =
  | "submitted"
  /** Stands in the place of a line of the log that cannot be read. */
  | "unreadable"
  | "cancel_requested"
  | "artifact_added"
  | "accepted"
  | "rejected"
  | "completed"
  | "handed_off"
  | "retry"
  | "postponed"
  | "in_ward"
  | "operation"
  | "discharged"
  | "quarantined"
  | "released"
  | "discarded"
  | "rerouted"
  /** A bridge has handed it to another cluster. */
  | "carried"
  /** A bridge has put it into a queue of this cluster. */
  | "arrived"
  | "ended";

/**
 * Where a message of a run is. `open`: a queue or an outbox holds it, its agent settles it. `in_ward`: a case holds it,
 * the surgeon moves it on. `quarantined`: a case holds it, a person decides. `closed`: its outcome is final; kept as
 * long as the run. `away`: another cluster or a bridge holds it; the record at home waits for it as for an open one.
 */
export type MessageState = "open" | "in_ward" | "quarantined" | "closed" | "away";

/**
 * How a run that has no message left ended badly; absent, it completed. `undo_failed` takes one failure back: a
 * discarded message that a person restored.
 */
export type RunEnd = "failed" | "expired" | "cancelled" | "undo_failed";

export interface OpenedMessage {
  readonly message_id: string;
  readonly agent: string;
  /** As in `RunChange`. */
  readonly branch?: string;
}

/** An event together with what it does to its run. */
export interface RunChange {
  readonly event: RunEvent;
  /** The state the message moves to. Ranks only rise: see `rankOf`. */
  readonly moves?: { readonly state: MessageState; readonly rank: number };
  /** The branch of a fan-out that the moved message belongs to, in one word. Absent: none. */
  readonly branch?: string;
  /** Messages that this event brings into the world, with the agents they go to. */
  readonly opens?: readonly OpenedMessage[];
  readonly end?: RunEnd;
  readonly result?: unknown;
  readonly error?: unknown;
  /** What this event cost, in USD. */
  readonly cost?: number;
  readonly tokens?: number;
  /** True for the first sign that an agent works on it. */
  readonly starts?: boolean;
}

/**
 * The rank of a message's state. Events of one message may arrive late or twice; the higher rank wins, whatever the
 * order. A delivery counts below what another cluster holds, that below the ward, the ward below the end.
 */
export const rankOf = {
  delivery: (requeues: number): number => 1 + requeues,
  away: (): number => 500_000,
  ward: (version: number): number => 1_000_000 + version,
  /** In the ward of another cluster, whose rank for it is given. */
  wardElsewhere: (rank: number): number => 500_000_000 + rank,
  closed: (): number => 1_000_000_000,
} as const;

/** Reads a line of a run's log. A stand-in for one that cannot be read keeps the positions of the others. */
export function readEvent(runId: string, text: string): RunEvent {
  const event = readJson(text);
  const isEvent = isObjectWith(event, "id", "run_id", "type", "at");
  // Written by our own journal as a RunEvent.
  if (isEvent && isObjectWith((event as RunEvent).detail)) return event as RunEvent;
  return { id: "", run_id: runId, type: "unreadable", at: "", message_id: null, agent: null, detail: {} };
}
