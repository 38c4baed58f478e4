import { z } from "zod";

/** Values of `reasoning_effort`, of which each model takes some. */
export const REASONING_EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh"] as const;

export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];

/** How much the model of one tier reasons before it answers. */
export interface ModelReasoning {
  /** `reasoning_effort` of the tier's requests. Unset: it is not sent, and the model reasons as it does by itself. */
  readonly effort: ReasoningEffort | null;
  /**
   * Tokens added to the bound of each answer of the tier where its model reasons, because providers count reasoning as
   * part of the answer. Whether a model reasons is learned from its answers, or from the effort that is set.
   */
  readonly tokens: number;
}

/** How much room answers have, in tokens. */
export interface ModelRoom {
  /** By tier. */
  readonly reasoning: Readonly<Record<"router" | "worker" | "surgeon", ModelReasoning>>;
  /**
   * Maximum tokens of an answer, reasoning included, when one that was cut off is asked for again with twice the room.
   * First requests are not bounded by it.
   */
  readonly tokensMax: number;
}

/** Values of `SUTURE_MODEL_*_STREAM`. */
export const STREAM_MODES = ["off", "auto", "on"] as const;

export type StreamMode = (typeof STREAM_MODES)[number];

/** Which answers are received as streams, and how long these may take. */
export interface ModelStreams {
  /**
   * By tier. `on`: answers are received as they are generated. `auto`: where the model reasons and the endpoint reports
   * tokens in a stream.
   */
  readonly by: Readonly<Record<"router" | "worker" | "surgeon", StreamMode>>;
  /** Maximum time from one word of a streamed answer to the next, in milliseconds. */
  readonly silentMs: number;
  /** Maximum time of a call whose streamed answer has begun, in milliseconds. The call's own limit holds before. */
  readonly wholeMs: number;
}

const usdPerMillion = z.number().min(0);

/** `{"model name": {"input": USD, "cached": USD, "output": USD}}`, each per million tokens; `cached` is optional. */
export const modelPrices = z.record(
  z.string().min(1),
  z.strictObject({ input: usdPerMillion, output: usdPerMillion, cached: usdPerMillion.optional() }),
);

/** Prices by the model's name. */
export type ModelPrices = Readonly<z.output<typeof modelPrices>>;
