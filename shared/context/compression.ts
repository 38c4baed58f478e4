import type { Contract, ContractOutput } from "#shared/contract";
import type { Conversation, Envelope } from "#shared/envelope";
import type { Detail, SummaryLevels } from "./summaries.ts";
import type { CountTokens } from "./tokens.ts";

/**
 * How a conversation is made small.
 * - `rolling_summary`: a model's summary, carried on from portion to portion and from agent to agent;
 * - `hierarchical_summary`: each portion in one sentence and in key points, these again until one is left;
 * - `recent_window`: the newest `turns` as they were said, a rolling summary of the rest;
 * - `truncation`: the newest turns that fit, nothing else; asks no model;
 * - `field_extraction`: of turns that are JSON only the named fields, then as `truncation`; asks no model.
 */
export type CompressionStrategy =
  | { readonly kind: "rolling_summary" }
  | { readonly kind: "hierarchical_summary"; readonly detail: Detail }
  /** `turns` default 6. */
  | { readonly kind: "recent_window"; readonly turns?: number }
  | { readonly kind: "truncation" }
  /** JSON pointers, with `*` for items. */
  | { readonly kind: "field_extraction"; readonly fields: readonly string[] };

/** The parts of a handler's context that a compression uses. */
export interface CompressionContext {
  readonly envelope: Readonly<Envelope>;
  model<C extends Contract>(
    step: string,
    request: {
      readonly instructions: string;
      readonly input: unknown;
      readonly answers: C;
      readonly temperature?: number;
    },
  ): Promise<ContractOutput<C>>;
  step<Value>(name: string, work: (signal: AbortSignal) => Promise<Value> | Value): Promise<Value>;
  /** Returns the token counter of the agent's model. */
  tokenCounter(): Promise<CountTokens>;
}

export interface CompressionOptions {
  readonly strategy: CompressionStrategy;
  /** Nominal budget of the packet in tokens, of which 80 % are used. At least 64. */
  readonly tokensMax: number;
  /** The conversation to compress. Default: the message's. */
  readonly conversation?: Conversation;
  /** Prefix of the model steps' names; must match the stand-ins'. Default `compress`. */
  readonly step?: string;
  /** Maximum tokens of the conversation in one prompt. Default 4,000. */
  readonly portionTokensMax?: number;
  /**
   * Turns of the conversation that are put down as text for the whole, and where. Default: the message it came in.
   */
  readonly keepTranscript?: (
    bytes: Uint8Array,
    signal: AbortSignal,
  ) => Promise<{ readonly uri: string; readonly sha256: string }>;
}

/** A strategy's result, before it is fitted into the budget. */
export interface Digest {
  readonly summary: string;
  /** Maximum number of newest turns to keep verbatim. */
  readonly turnsMax: number;
  /** Source of the turns: the conversation, or one with reduced turns. */
  readonly conversation: Conversation;
  readonly levels: SummaryLevels | null;
  /** Number of ungrounded model sentences removed. */
  readonly dropped: number;
}

/** State of a compression. */
export interface Work {
  readonly ctx: CompressionContext;
  readonly options: CompressionOptions;
  readonly conversation: Conversation;
  /** Summary of an earlier compression; "" for none. */
  readonly summarySoFar: string;
  readonly count: CountTokens;
  /** Budget of the packet in tokens, below the ceiling. */
  readonly tokensMax: number;
}
