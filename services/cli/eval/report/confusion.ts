import { expectedOf } from "../cases/contender.ts";
import { readPointer } from "../cases/read-pointer.ts";
import type { Trial } from "../cases/trial.ts";

/** How often each expected value of one field was given as which. */
export interface Confusion {
  readonly pointer: string;
  /** What was expected, then what was given beyond that. */
  readonly values: readonly string[];
  readonly counts: readonly { readonly expected: string; readonly given: string; readonly count: number }[];
}

/** Maximum classes of a readable table. */
const CLASSES_MAX = 12;
const FAILED = "(failed)";
const NOTHING = "(nothing)";
const OTHER = "(other)";

/** Of every field that is expected to be one of a few words, each of them in more cases than one on average. */
export function confusionsOf(trials: readonly Trial[]): Confusion[] {
  const seen = trials.flatMap((trial) =>
    [...expectedOf(trial.case, [trial.contender])].map(([pointer, expected]) => ({
      trial,
      pointer,
      expected,
    })),
  );
  return [...Map.groupBy(seen, ({ pointer }) => pointer)].flatMap(([pointer, ofField]) => {
    const classes = new Set(ofField.map(({ expected }) => expected));
    const isWord = [...classes].every((value) => typeof value === "string" || typeof value === "boolean");
    const isFew = classes.size > 1 && classes.size <= CLASSES_MAX && classes.size * 2 <= ofField.length;
    if (!isWord || !isFew) return [];
    const known = new Set([...classes].map(String));
    const pairs = ofField.map(
      ({ trial, expected }) => [String(expected), givenBy(trial, { pointer, known })] as const,
    );
    return [toConfusion(pointer, pairs)];
  });
}

function givenBy(
  trial: Trial,
  { pointer, known }: { readonly pointer: string; readonly known: ReadonlySet<string> },
): string {
  if (trial.failure !== null) return FAILED;
  const given = readPointer(trial.result, pointer);
  if (given === undefined || given === null) return NOTHING;
  const text = typeof given === "string" ? given : JSON.stringify(given);
  return known.has(text) ? text : OTHER;
}

function toConfusion(
  pointer: string,
  pairs: readonly (readonly [expected: string, given: string])[],
): Confusion {
  const expected = [...new Set(pairs.map(([value]) => value))].toSorted();
  const given = [...new Set(pairs.map(([, value]) => value))].toSorted();
  const values = [...expected, ...given.filter((value) => !expected.includes(value))];
  const counts = expected.flatMap((row) =>
    values.flatMap((column) => {
      const count = pairs.filter(([wanted, got]) => wanted === row && got === column).length;
      return count === 0 ? [] : [{ expected: row, given: column, count }];
    }),
  );
  return { pointer, values, counts };
}
