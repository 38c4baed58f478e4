import { readFileSync, statSync } from "node:fs";
import type { z } from "zod";

/** Reads a variable's JSON text. The problem names the place that is wrong, and no value. */
export function readJson<Value>(
  schema: z.ZodType<Value>,
  text: string,
): { readonly value: Value } | { readonly problem: string } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { problem: "is not JSON" };
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return { value: parsed.data };
  const issue = parsed.error.issues[0];
  return { problem: `is wrong at ${issue?.path.join(".") || "its top"}: ${issue?.message ?? "not valid"}` };
}

/** Larger than any list of keys or prices. */
const FILE_BYTES_MAX = 1024 * 1024;

/** Reads the file that a variable names with `@`. The problem, if any, names the path and nothing of the content. */
export function readReferencedFile(path: string): { readonly text: string } | { readonly problem: string } {
  try {
    const found = statSync(path);
    if (!found.isFile()) return { problem: `names ${path}, which is not a file` };
    if (found.size > FILE_BYTES_MAX)
      return { problem: `names ${path}, which is larger than ${FILE_BYTES_MAX} bytes` };
    return { text: readFileSync(path, "utf8") };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "no reason given";
    return { problem: `names ${path}, which cannot be read (${code})` };
  }
}
