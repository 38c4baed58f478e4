import type * as FastCheck from "fast-check";
import { expect } from "vitest";
import { findExamples, keepExample } from "./found-examples.ts";
import type { PropertyPlace } from "./found-examples.ts";
import { readFuzzSettings } from "./settings.ts";
import type { FuzzSettings } from "./settings.ts";

/** Default seed of properties in `npm test`. */
const SEED = 20_261_122;
const RUNS_DEFAULT = 100;

/**
 * Returns fast-check's `assert` with a fixed seed and the examples that `npm run fuzz` found. Under that command it
 * uses the command's seed, makes more runs, and records counterexamples.
 */
export function seededAssert(real: typeof FastCheck): typeof FastCheck.assert {
  real.configureGlobal({ seed: SEED });
  const fuzz = readFuzzSettings();
  const properties = new Map<string, number>();
  const assert = <Values>(
    property: FastCheck.IRawProperty<Values>,
    params: FastCheck.Parameters<Values> = {},
  ): Promise<void> | void => {
    const place = nextPlace(properties);
    const examples = [...(params.examples ?? []), ...findExamples<Values>(place)];
    const changed = fuzz === null ? {} : fuzzed(fuzz, { real, place, params });
    return real.assert(property, { ...params, ...changed, examples });
  };
  // Its overloads differ in their result, which is the real function's.
  return assert as typeof FastCheck.assert;
}

function nextPlace(properties: Map<string, number>): PropertyPlace {
  const { testPath = "", currentTestName: test = "" } = expect.getState();
  const nth = (properties.get(test) ?? 0) + 1;
  properties.set(test, nth);
  return { file: testPath.replace(`${process.cwd()}/`, ""), test, nth };
}

interface Asserted<Values> {
  readonly real: typeof FastCheck;
  readonly place: PropertyPlace;
  readonly params: FastCheck.Parameters<Values>;
}

function fuzzed<Values>(
  fuzz: FuzzSettings,
  { real, place, params }: Asserted<Values>,
): FastCheck.Parameters<Values> {
  const numRuns = Math.ceil((params.numRuns ?? RUNS_DEFAULT) * fuzz.times);
  return {
    // fast-check uses 32 bits.
    seed: (fuzz.seed + (params.seed ?? 0)) | 0,
    numRuns,
    interruptAfterTimeLimit: fuzz.seconds * 1000,
    reporter: (run) => {
      if (run.interrupted) process.stdout.write(`Stopped after ${run.numRuns} of ${numRuns} runs.\n`);
      if (!run.failed) return;
      const { counterexample: values, seed, counterexamplePath: path } = run;
      if (values !== null) keepExample(place, { seed, path, values, shown: real.stringify(values) });
      throw new Error(real.defaultReportMessage(run), { cause: run.errorInstance });
    },
  };
}
