import type { JsonSchema } from "#shared/json";
import type { FirstAidOptions } from "./first-aid-result.ts";
import type { Work } from "./read/reader.ts";

/** The options of one call with defaults, and its shared work counter. */
export interface Bounds extends Required<Omit<FirstAidOptions, "onWork">> {
  readonly work: Work;
}

export function boundsOf(options: FirstAidOptions, schema: JsonSchema | undefined): Bounds {
  const hasSchema = schema !== undefined;
  const declared = schema?.["x-accepts"];
  const workMax = options.workMax ?? 10_000_000;
  return {
    charsMax: options.charsMax ?? 4_194_304,
    depthMax: options.depthMax ?? 128,
    workMax,
    costMax: options.costMax ?? 60,
    marginMin: options.marginMin ?? 3,
    accepts: options.accepts ?? (Array.isArray(declared) && declared.includes("xml") ? ["xml"] : []),
    cut: options.cut ?? (hasSchema ? "refuse" : "keep"),
    work: { left: workMax },
  };
}
