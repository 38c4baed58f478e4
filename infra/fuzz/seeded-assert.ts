import type * as FastCheck from "fast-check";
import { z } from "zod";

/** Environment variable with the settings of `npm run fuzz`, as JSON. */
export const FUZZ_VARIABLE = "SUTURE_FUZZ";

const fuzzSettings = z.strictObject({
  /** Added to a property's own seed. */
  seed: z.int(),
  /** Factor on each property's number of runs. */
  times: z.number().positive(),
  /** Maximum time of one property, in seconds. */
  seconds: z.number().positive(),
});

export type FuzzSettings = z.output<typeof fuzzSettings>;

/** Default seed of properties in `npm test`. */
const SEED = 20_261_122;
const RUNS_DEFAULT = 100;

/** Returns fast-check's `assert` with a fixed seed; under `npm run fuzz`, with that command's seed and more runs. */
export function seededAssert(real: typeof FastCheck): typeof FastCheck.assert {
  real.configureGlobal({ seed: SEED });
  const text = process.env[FUZZ_VARIABLE];
  if (text === undefined) return real.assert;
  const fuzz = fuzzSettings.parse(JSON.parse(text));
  const assert = <Values>(
    property: FastCheck.IRawProperty<Values>,
    params: FastCheck.Parameters<Values> = {},
  ): Promise<void> | void =>
    real.assert(property, {
      ...params,
      // fast-check uses 32 bits.
      seed: (fuzz.seed + (params.seed ?? 0)) | 0,
      numRuns: Math.ceil((params.numRuns ?? RUNS_DEFAULT) * fuzz.times),
      interruptAfterTimeLimit: fuzz.seconds * 1000,
    });
  // Its overloads differ in their result, which is the real function's.
  return assert as typeof FastCheck.assert;
}
