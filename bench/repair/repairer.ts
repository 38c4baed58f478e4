import type { JsonSchema } from "#shared/json";

/** Reads a damaged text; what it gives is validated afterwards. Throws or gives undefined where it refuses. */
export type Repair = (input: string, schema: JsonSchema | undefined) => unknown;

export interface Repairer {
  readonly name: string;
  readonly repair: Repair;
}
