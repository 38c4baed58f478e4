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
