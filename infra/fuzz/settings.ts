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

/** Returns the settings of `npm run fuzz`, or null under `npm test`. */
export function readFuzzSettings(): FuzzSettings | null {
  const text = process.env[FUZZ_VARIABLE];
  return text === undefined ? null : fuzzSettings.parse(JSON.parse(text));
}
