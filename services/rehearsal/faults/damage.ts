import type { JsonSchema } from "#shared/json";

/** An answer to damage. */
export interface Intact {
  /** The stand-in's answer, any JSON value. */
  readonly answer: unknown;
  /** The schema requested for the answer; null for none. */
  readonly schema: JsonSchema | null;
  /** Seeded random numbers. */
  readonly random: () => number;
}

/** Damages an answer. Pure; null when this damage does not apply. */
export type Damage = (intact: Intact) => string | null;
