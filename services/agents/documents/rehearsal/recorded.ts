import { readFileSync } from "node:fs";
import { z } from "zod";

/** Reads answers recorded for the sample files, by the SHA-256 of the file. */
export function readRecorded<Answer>(name: string, answer: z.ZodType<Answer>): ReadonlyMap<string, Answer> {
  const entries = z.array(z.object({ file: z.string(), sha256: z.string(), answer }));
  const recorded = entries.parse(JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8")));
  return new Map(recorded.map((one) => [one.sha256, one.answer]));
}
