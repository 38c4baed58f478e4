import type * as FastCheck from "fast-check";
import { vi } from "vitest";

/** Setup of every test file: properties have a fixed seed; with `SUTURE_FUZZ` (`npm run fuzz -- FILE…`) new values. */
const SEED = 20_261_122;
const RUNS_MAX = 1_000_000_000;

// A factory, so that test files without properties load neither fast-check nor what follows.
vi.mock("fast-check", async (importOriginal) => {
  const real = await importOriginal<typeof FastCheck>();
  const seconds = Number(process.env["SUTURE_FUZZ"] ?? "0");
  if (!(seconds > 0)) {
    real.configureGlobal({ seed: SEED });
    return real;
  }
  const endless = { numRuns: RUNS_MAX, interruptAfterTimeLimit: seconds * 1000 };
  const assert = <Values>(
    property: FastCheck.IRawProperty<Values>,
    { seed: _fixed, ...params }: FastCheck.Parameters<Values> = {},
  ): Promise<void> | void => real.assert(property, { ...params, ...endless });
  return { ...real, assert, default: { ...real.default, assert } };
});
