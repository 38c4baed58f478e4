import type { Contract } from "#shared/contract";
import type { Conversation } from "#shared/envelope";

/** What a handler returns: a result that may end the run, or one or more handoffs. Nothing else ends it. */
export type HandlerOutcome<Result = unknown> =
  | { readonly kind: "completed"; readonly result: Result }
  | { readonly kind: "handed_off"; readonly handoffs: readonly HandoffDraft[] }
  | { readonly kind: "fanned_out"; readonly fanOut: FanOutDraft }
  | { readonly kind: "rejected"; readonly reason: string };

/** The results that outcomes complete with. */
export type ResultOf<Outcome> = Outcome extends {
  readonly kind: "completed";
  readonly result: infer Result;
}
  ? Result
  : never;

/** Handoffs (fan-out), and one that waits for their answers (fan-in). Created by `fanOut` of `#shared/patterns`. */
export interface FanOutDraft {
  readonly branches: readonly HandoffDraft[];
  /** Sent to a joining agent once the branches have answered. */
  readonly join: HandoffDraft;
  /** Answers after which the join starts without waiting for the rest. Integer. */
  readonly needed: number;
  /** Minimum answers for the join's condition to be met. Integer, at most `needed`. */
  readonly least: number;
  /** Maximum branches in progress at once. Integer, at least 1. */
  readonly window: number;
  /** Deadline from now, in ms, at which the join starts with the answers there are; null: when the run expires. */
  readonly deadlineMs: number | null;
  /** Maximum bytes of all answers together, as JSON text. */
  readonly answersBytesMax: number;
}

/** A handoff as the handler requests it; the runtime checks, counts and seals it. */
export interface HandoffDraft {
  readonly to: string;
  /** Set for a handoff by capability, whose receiver the runtime chooses before it is sent. */
  readonly capability?: string;
  readonly contract: Contract;
  readonly payload: unknown;
  readonly options: HandoffOptions;
}

export interface HandoffOptions {
  /** Reason for the handoff, for display. Default: the empty text. */
  readonly reason?: string;
  /** A type from the team's handoff matrix. Default: `task_delegation`. */
  readonly handoffType?: string;
  /** What the sender expects back, shown to people and models. Default: null. */
  readonly expectedOutput?: string | null;
  /** Capabilities that the receiver must have. Default: none. */
  readonly capabilitiesRequired?: readonly string[];
  /** False starts the receiver with an empty history, except for open tool calls and taint labels. Default: true. */
  readonly preserveHistory?: boolean;
  /** Replaces parts of the incoming conversation. Default: unchanged. */
  readonly conversation?: Partial<Conversation>;
  /** Actions that the run may still cause; can only narrow. Default: unchanged. */
  readonly mayCause?: readonly string[];
}
