import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { deserialize, serialize } from "node:v8";
import { z } from "zod";

/** Which property: the test's file and full name, and the property's number in that test, from 1. */
export interface PropertyPlace {
  readonly file: string;
  readonly test: string;
  readonly nth: number;
}

const foundExample = z.strictObject({
  file: z.string(),
  test: z.string(),
  nth: z.int().positive(),
  seed: z.int(),
  path: z.string().nullable(),
  /** The values as text, for people. */
  shown: z.string(),
  /** The values in V8's serialization, base64. Null where it cannot write them: functions, instances of classes. */
  values: z.string().nullable(),
});

const FILE = fileURLToPath(new URL("../../tests/found-examples.jsonl", import.meta.url));

/** Appends a counterexample to `tests/found-examples.jsonl`. One line each: test processes share the file. */
export function keepExample(
  place: PropertyPlace,
  found: {
    readonly seed: number;
    readonly path: string | null;
    readonly values: unknown;
    readonly shown: string;
  },
  file = FILE,
): void {
  appendFileSync(file, `${JSON.stringify({ ...place, ...found, values: write(found.values) })}\n`);
}

function write(values: unknown): string | null {
  try {
    return serialize(values).toString("base64");
  } catch {
    return null;
  }
}

/** Returns the kept values of a property, as fast-check takes them for `examples`. */
export function findExamples<Values>(place: PropertyPlace, file = FILE): Values[] {
  return readExamples(file).flatMap((one) => {
    if (one.file !== place.file || one.test !== place.test || one.nth !== place.nth) return [];
    if (one.values === null) return [];
    // The same property wrote them; what it takes is not known here.
    return [deserialize(Buffer.from(one.values, "base64")) as Values];
  });
}

function readExamples(file: string): z.output<typeof foundExample>[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => foundExample.parse(JSON.parse(line)));
}
