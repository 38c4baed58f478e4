import { z } from "zod";

/** Variable by which `npm run fuzz` gives its settings to the tests, as JSON. */
export const FUZZ_VARIABLE = "SUTURE_FUZZ";

const fuzzSettings = z.strictObject({
  /** Added to the seed that a property has of its own. */
  seed: z.int(),
  /** Factor on the number of runs that each property makes in `npm test`. */
  times: z.number().positive(),
  /** Time after which a property ends with the runs that it has made, in seconds. */
  seconds: z.number().positive(),
});

export type FuzzSettings = z.output<typeof fuzzSettings>;

/** Returns the settings of `npm run fuzz`, or null under `npm test`. */
export function readFuzzSettings(): FuzzSettings | null {
  const text = process.env[FUZZ_VARIABLE];
  return text === undefined ? null : fuzzSettings.parse(JSON.parse(text));
}
