import type { JsonSchema } from "#shared/json";
import type { FirstAidOptions } from "./first-aid-result.ts";

/** The work counter of one call. */
export interface Work {
  left: number;
}

/** Costs of what is done besides reading the characters, in steps; `outlineChar` for each character. */
export const WORK = {
  attempt: 400,
  check: 10,
  comment: 8,
  date: 600,
  escape: 16,
  fit: 70,
  innerQuote: 10,
  lateMember: 80,
  listItem: 60,
  look: 10,
  nestedText: 1000,
  oddValue: 40,
  outlineChar: 16,
  recall: 60,
  separator: 4,
  tag: 20,
  value: 30,
} as const;

/** The options of one call with defaults, and its shared work counter. */
export interface Bounds extends Required<FirstAidOptions> {
  /** From the schema's `x-accepts`. */
  readonly acceptsXml: boolean;
  readonly work: Work;
}

/** Maximum nesting of values. */
export const DEPTH_MAX = 128;

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
