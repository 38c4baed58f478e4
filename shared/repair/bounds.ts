import type { JsonSchema } from "#shared/json";
import type { Work } from "./read/reader.ts";
import type { FirstAidOptions } from "./first-aid-result.ts";

/** The options of one call with defaults, and its shared work counter. */
export interface Bounds extends Required<FirstAidOptions> {
  /** From the schema's `x-accepts`. */
  readonly acceptsXml: boolean;
  readonly work: Work;
}

/** Maximum nesting of values. */
export const DEPTH_MAX = 128;

/** Maximum cost of a repair. */
export const COST_MAX = 60;

/** Minimum cost difference to another value. */
export const MARGIN_MIN = 3;

/** Steps a character that rows of small values take, each of which needs repair. */
const WORK_PER_CHAR = 40;

/** @param length - Length of the text in UTF-16 units. */
export function boundsOf(options: FirstAidOptions, schema: JsonSchema | undefined, length = 0): Bounds {
  const hasSchema = schema !== undefined;
  const declared = schema?.["x-accepts"];
  const workMax = options.workMax ?? Math.max(10_000_000, length * WORK_PER_CHAR);
  return {
    charsMax: options.charsMax ?? 4_194_304,
    workMax,
    acceptsXml: Array.isArray(declared) && declared.includes("xml"),
    cut: options.cut ?? (hasSchema ? "refuse" : "keep"),
    work: { left: workMax },
  };
}
