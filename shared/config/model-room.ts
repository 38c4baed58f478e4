import { z } from "zod";

/** Values of `reasoning_effort`, of which each model takes some. */
export const REASONING_EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh"] as const;

export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];

/** Reasoning of the model of one tier before it answers, as `SUTURE_MODEL_*_EFFORT` and its tokens set it. */
export interface ModelReasoning {
  /** Null: it is not sent. */
  readonly effort: ReasoningEffort | null;
  /** Tokens added to the bound of each answer where the model reasons. */
  readonly tokens: number;
}

/** Values of `SUTURE_MODEL_*_STREAM`. */
export const STREAM_MODES = ["off", "auto", "on"] as const;

export type StreamMode = (typeof STREAM_MODES)[number];

/** Use of streams for answers, by who asks, and the time that these may take. */
export interface ModelStreams {
  readonly by: Readonly<Record<"router" | "worker" | "surgeon", StreamMode>>;
  /** Maximum time from one word of a streamed answer to the next, in ms. */
  readonly silentMs: number;
  /** Maximum time of a call whose streamed answer has begun, in ms. */
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
