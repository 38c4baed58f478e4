import type { Contract, ContractOutput } from "#shared/contract";
import type { Conversation } from "#shared/envelope";
import type { ModelImage, ModelTier } from "#shared/model";
import type { BoardEntry, BoardView, BoardWritten } from "#shared/store/boards";
import type { Tool } from "../tools/define-tool.ts";

/** Return value of a handler: a result that may end the run, or one or more handoffs. Nothing else ends it. */
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
  /** Output that the sender expects back, shown to people and models. Default: null. */
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

/** A board of a run: entries that its agents read and write together. */
export interface Board {
  read(): Promise<BoardView>;
  /**
   * Writes one entry if it still has the version that was read (compare-and-set). Once per message and step: a re-run
   * does not write again.
   * @throws {BoardFullError} It would exceed a limit of the board.
   */
  write(
    step: string,
    write: { readonly key: string; readonly value: unknown; readonly expects: number | "any" },
  ): Promise<Exclude<BoardWritten, { readonly kind: "full" }>>;
  /**
   * Updates one entry under contention: reads it, calls `change` for its next value, writes that, and retries on
   * conflict. Once per message and step.
   * @returns The version that this write made.
   * @throws {BoardFullError}
   * @throws {BoardContendedError} A hundred attempts had conflicts.
   */
  update(step: string, key: string, change: (current: BoardEntry | null) => unknown): Promise<number>;
  /** Waits until the board's version differs from `since`, at most `timeoutMs`. */
  waitForChange(wait: { readonly since: number; readonly timeoutMs: number }): Promise<BoardView>;
}

/** A picture by reference: its bytes are read for the call, and stored in no record. */
export interface ReferredImage {
  /** SHA-256 in hex; part of the recorded answer's key. */
  readonly sha256: string;
  readonly mimeType: ModelImage["mimeType"];
  readonly read: (signal: AbortSignal) => Promise<Uint8Array>;
}

export interface ModelRequest<C extends Contract> {
  /** Default: the agent's tier. */
  readonly tier?: ModelTier;
  /** The system prompt. Must not contain data. */
  readonly instructions: string;
  /** Added to the end of the instructions and recorded: what tells this call from others with the same ones. */
  readonly perspective?: string;
  /** Data for the model, sent as JSON: only what this step needs. */
  readonly input: unknown;
  /**
   * JSON pointers of parts of the input that may be sent shorter when the call comes again after a time-out: a text
   * keeps its beginning, a list its newest items. Default: none, and the same input is sent again.
   */
  readonly shortens?: readonly string[];
  /** Pictures sent with the input. Default: none. */
  readonly images?: readonly ReferredImage[];
  /** JSON pointers to texts of the answer that the task's `max_words` limits together. Default: none. */
  readonly wordsIn?: readonly string[];
  /** Contract of the answer. */
  readonly answers: C;
  /** Tools that the model may call before it answers, with names of their own. At most 64. Default: none. */
  readonly tools?: readonly Tool[];
  /** Answers with calls, after which it has to answer without. 1 to 32. Default 8. */
  readonly toolRoundsMax?: number;
  /** Default: the provider's. */
  readonly temperature?: number;
  /** Maximum tokens of the answer. Default: the tier's. */
  readonly tokensMax?: number;
}

/** Answer of a remote agent, or the reason for none, and the cost that it names. */
export type RemoteReply = RemoteCost & ({ readonly text: string } | { readonly failed: string });

interface RemoteCost {
  /** USD. */
  readonly cost: number;
  readonly tokens: number;
}

/** A question to a remote agent that is under way. */
export interface RemoteCall {
  /** Aborted on timeout, lost lock and shutdown. */
  readonly signal: AbortSignal;
  /** Returns true once the run has been cancelled. */
  isCancelled(): Promise<boolean>;
}

/** A question to somebody else than a model, such as an agent of another operator. */
export interface RemoteRequest<C extends Contract> {
  /** Contract of the answer. List it in the agent's `answers`. */
  readonly answers: C;
  /** Name of the remote agent, for the ward and its statistics: part of the producer's name. */
  readonly from: string;
  /** Label of everything that is done after the answer was read, as of text from outside. */
  readonly taint: string;
  /** Asks. Called again by a later delivery if it throws. */
  ask(call: RemoteCall): Promise<RemoteReply>;
}

/** The answer; or why the remote side failed. `isNew`: this delivery learned it, and no record of an earlier one. */
export type RemoteAnswer<C extends Contract> =
  | { readonly ok: true; readonly value: ContractOutput<C> }
  | { readonly ok: false; readonly failed: string; readonly isNew: boolean };
