import type { Contract } from "#shared/contract";
import type { Tool } from "../tools/define-tool.ts";
import type { ModelImage, ModelTier } from "#shared/model";

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
