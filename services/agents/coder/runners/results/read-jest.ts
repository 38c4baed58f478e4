import { z } from "zod";
import type { RawTest } from "./raw-test.ts";

/** The JSON report of Jest, which Vitest writes too. */
const report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string().default(""),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
          location: z.object({ line: z.number() }).nullish(),
        }),
      ),
    }),
  ),
});

/** Reads a JSON report of Jest or Vitest. What is no such report has no tests. */
export function readJest(text: string): RawTest[] {
  const parsed = report.safeParse(parseJson(text));
  if (!parsed.success) return [];
  return parsed.data.testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "passed" || status === "failed")
      .map(({ fullName, status, failureMessages, location }) => ({
        file,
        name: fullName.trim(),
        hasPassed: status === "passed",
        line: location?.line ?? 0,
        text: (failureMessages ?? []).join("\n"),
      })),
  );
}

/** Parses JSON. Null where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
