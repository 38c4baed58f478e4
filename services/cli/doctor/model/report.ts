import type { ModelTier } from "#shared/model";

/**
 * `yes`: taken, and acted on as far as an answer shows. `refused`: the endpoint says no. `unread`: taken, and not
 * acted on. `failed`: the request failed for another reason. `not_asked`: the limits of cost or time were reached.
 */
export type FeatureState = "yes" | "refused" | "unread" | "failed" | "not_asked";

export const FEATURES = [
  "system role",
  "max_completion_tokens",
  "max_tokens",
  "strict schema",
  "loose schema",
  "JSON mode",
  "tool call",
  "temperature",
  "reasoning_effort",
  "pictures",
  "streaming",
  "usage fields",
  "cached tokens",
] as const;

export type Feature = (typeof FEATURES)[number];

/** Times of whole calls, in milliseconds. */
export interface Latency {
  readonly calls: number;
  readonly p50: number;
  readonly p95: number;
}

/** What was found of one model. */
export interface ModelReport {
  readonly model: string;
  readonly features: Readonly<Record<Feature, FeatureState>>;
  /** The best way by which an answer came; null where none did, and no team can run. */
  readonly answersBy: "strict schema" | "loose schema" | "JSON mode" | "tool call" | "prompt" | null;
  /** Most tokens of reasoning in one answer; null for a model that was not seen to reason. */
  readonly reasoningTokens: number | null;
  readonly latency: Latency | null;
  /** Why no answer came: what is wrong, and what to do. */
  readonly problem: { readonly code: string; readonly message: string; readonly remedy: string } | null;
}

/** A setting to use, and why. */
export interface Advice {
  readonly setting: string;
  readonly why: string;
}

/** What is known of the model of each tier. */
export interface ExaminedModel {
  readonly tiers: readonly ModelTier[];
  readonly report: ModelReport;
  readonly advice: readonly Advice[];
}

/** What the calls cost and took, against what they might. */
export interface Spending {
  readonly calls: number;
  readonly cost: number;
  readonly costMax: number;
  readonly seconds: number;
}
