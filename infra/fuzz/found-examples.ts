import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { deserialize, serialize } from "node:v8";
import { z } from "zod";

/** Identifies a property: the test's file, full name, and the property's number in it, from 1. */
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
  /** The values in V8's serialization, base64. Null for functions and class instances. */
  values: z.string().nullable(),
});

const FILE = fileURLToPath(new URL("../../tests/found-examples.jsonl", import.meta.url));

/** Appends a counterexample to `tests/found-examples.jsonl`, as one line, because test processes share the file. */
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

/** Returns the recorded examples of a property, for fast-check's `examples`. */
export function findExamples<Values>(place: PropertyPlace, file = FILE): Values[] {
  return readExamples(file).flatMap((one) => {
    if (one.file !== place.file || one.test !== place.test || one.nth !== place.nth) return [];
    if (one.values === null) return [];
    // The same property wrote them, so they have its type.
    return [deserialize(Buffer.from(one.values, "base64")) as Values];
  });
}

function readExamples(file: string): z.output<typeof foundExample>[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => foundExample.parse(JSON.parse(line)));
}
