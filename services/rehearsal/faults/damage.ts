import type { JsonSchema } from "#shared/contract";

/** An answer that is to be damaged. */
export interface Intact {
  /** The stand-in's answer, any JSON value. */
  readonly answer: unknown;
  /** What the request asked the answer to be; null when it did not say. */
  readonly schema: JsonSchema | null;
  /** Seeded. */
  readonly random: () => number;
}

/** One way in which models spoil an answer. Pure; null when this answer cannot be spoiled that way. */
export type Damage = (intact: Intact) => string | null;
