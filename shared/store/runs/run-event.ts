import { readJson } from "#shared/json";
import { isObjectWith } from "../read-fields.ts";

/** An event of a run, append-only. Its id is derived from what happened, so that a repeat is stored once. */
export interface RunEvent {
  readonly id: string;
  readonly run_id: string;
  readonly type: RunEventType;
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly message_id: string | null;
  readonly agent: string | null;
  /** Details of this type: hop, attempt, reason, class, tokens, cost, case id … No payload, no secret. */
  readonly detail: Readonly<Record<string, unknown>>;
}

export type RunEventType =
  | "submitted"
  /** Replaces a line of the log that cannot be read. */
  | "unreadable"
  | "cancel_requested"
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
  | "ended";

/** `open`: in a queue. `in_ward`: the surgeon moves it on. `quarantined`: a person decides. `closed`: final. */
export type MessageState = "open" | "in_ward" | "quarantined" | "closed";

/** End of a run without open messages that did not complete; absent: it did. `undo_failed` reverts one failure. */
export type RunEnd = "failed" | "expired" | "cancelled" | "undo_failed";

export interface OpenedMessage {
  readonly message_id: string;
  readonly agent: string;
  /** As in `RunChange`. */
  readonly branch?: string;
}

/** An event together with its effects on the run. */
export interface RunChange {
  readonly event: RunEvent;
  /** New state of the message. Ranks only rise: see `rankOf`. */
  readonly moves?: { readonly state: MessageState; readonly rank: number };
  /** Fan-out branch of the moved message, in one word. Absent: none. */
  readonly branch?: string;
  /** Messages that this event creates, with their receivers. */
  readonly opens?: readonly OpenedMessage[];
  readonly end?: RunEnd;
  readonly result?: unknown;
  readonly error?: unknown;
  /** Cost of this event, in USD. */
  readonly cost?: number;
  readonly tokens?: number;
  /** True for the first event of an agent working on the run. */
  readonly starts?: boolean;
}

/** Rank of a message's state: events may be late or repeated; the higher rank (delivery, ward, closed) wins. */
export const rankOf = {
  delivery: (requeues: number): number => 1 + requeues,
  ward: (version: number): number => 1_000_000 + version,
  closed: (): number => 1_000_000_000,
} as const;

/** Parses a line of a run's log. An unreadable line gets a placeholder, which keeps the positions of the others. */
export function readEvent(runId: string, text: string): RunEvent {
  const event = readJson(text);
  const isEvent = isObjectWith(event, "id", "run_id", "type", "at");
  // Written by our own journal as a RunEvent.
  if (isEvent && isObjectWith((event as RunEvent).detail)) return event as RunEvent;
  return { id: "", run_id: runId, type: "unreadable", at: "", message_id: null, agent: null, detail: {} };
}
