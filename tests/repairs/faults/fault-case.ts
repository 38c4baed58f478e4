import type fc from "fast-check";
import type { JsonSchema } from "#shared/json";
import type { JsonValue } from "#shared/schema";

/** A text of a class that was once read wrongly. A refusal is always right. */
export interface FaultCase {
  readonly text: string;
  readonly schema: JsonSchema | undefined;
  /** The only right value; undefined where only a refusal is right. */
  readonly value: JsonValue | undefined;
}

/** A class of texts, and the least share of them that must be read. */
export interface FaultClass {
  readonly cases: fc.Arbitrary<FaultCase>;
  readonly leastRead: number;
}
