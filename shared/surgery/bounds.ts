import type { FirstAidOptions } from "./first-aid-result.ts";
import type { Work } from "./read/reader.ts";

/** The options of one call with their defaults, and the work that all its parts share. */
export interface Bounds extends Required<FirstAidOptions> {
  readonly work: Work;
}

export function boundsOf(options: FirstAidOptions, hasSchema: boolean): Bounds {
  const workMax = options.workMax ?? 4_000_000;
  return {
    charsMax: options.charsMax ?? 4_194_304,
    depthMax: options.depthMax ?? 128,
    workMax,
    costMax: options.costMax ?? 60,
    marginMin: options.marginMin ?? 3,
    cut: options.cut ?? (hasSchema ? "refuse" : "keep"),
    work: { left: workMax },
  };
}
