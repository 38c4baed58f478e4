import type { Contract } from "#shared/contract";
import type { ModelImage, ModelTier } from "#shared/model";

/** A picture by reference: its bytes are read when the model is asked, and are in no record. */
export interface ReferredImage {
  /** 64 hex digits: what the recorded answer is bound to. */
  readonly sha256: string;
  readonly mimeType: ModelImage["mimeType"];
  readonly read: (signal: AbortSignal) => Promise<Uint8Array>;
}

export interface ModelRequest<C extends Contract> {
  /** Default: the agent's own tier. */
  readonly tier?: ModelTier;
  /** The system prompt. Holds no data. */
  readonly instructions: string;
  /** What the model is told, as JSON: only what this step needs. */
  readonly input: unknown;
  /** Shown to the model beside the input. Default: none. */
  readonly images?: readonly ReferredImage[];
  /** The contract of the answer. */
  readonly answers: C;
  /** Default: the provider's. */
  readonly temperature?: number;
  /** Upper bound of the answer. Default: the tier's. */
  readonly tokensMax?: number;
}
