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

/** What is asked of a handler's context. */
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
  /** Counts tokens as the agent's model does. */
  tokenCounter(): Promise<CountTokens>;
}

export interface CompressionOptions {
  readonly strategy: CompressionStrategy;
  /** Nominal budget of the packet in tokens; 80 % of it are used. At least 64. */
  readonly tokensMax: number;
  /** What is compressed. Default: the conversation that came with the message. */
  readonly conversation?: Conversation;
  /** Begins the names of the model's steps; the stand-ins are made for the same. Default `compress`. */
  readonly step?: string;
  /** Tokens of the conversation that a model is shown at once. Default 4,000. */
  readonly portionTokensMax?: number;
  /**
   * Turns of the conversation that are put down as text for the whole, and where. Default: the message it came in.
   */
  readonly keepTranscript?: (
    bytes: Uint8Array,
    signal: AbortSignal,
  ) => Promise<{ readonly uri: string; readonly sha256: string }>;
}

/** What a strategy made of the turns, before it is fitted into the budget. */
export interface Digest {
  readonly summary: string;
  /** Newest turns wanted as they were said, at most. */
  readonly turnsMax: number;
  /** The conversation that the turns are taken from: as it came, or with less in each turn. */
  readonly conversation: Conversation;
  readonly levels: SummaryLevels | null;
  /** Sentences of the model's that named what nobody had said. */
  readonly dropped: number;
}

/** A compression on its way. */
export interface Work {
  readonly ctx: CompressionContext;
  readonly options: CompressionOptions;
  readonly conversation: Conversation;
  /** Summary that an earlier compression left; "" where there was none. */
  readonly summarySoFar: string;
  readonly count: CountTokens;
  /** Tokens that a packet may have, after the ceiling was taken off. */
  readonly tokensMax: number;
}
