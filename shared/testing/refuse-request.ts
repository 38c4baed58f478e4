import { z } from "zod";
import { findStrictFaults } from "#shared/model";

const requestSchema = z.object({
  model: z.string().min(1),
  messages: z
    .array(z.object({ role: z.string(), content: z.union([z.string(), z.array(z.unknown()).min(1)]) }))
    .min(1),
  response_format: z
    .object({
      type: z.literal("json_schema"),
      json_schema: z.object({
        name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
        strict: z.boolean().optional(),
        schema: z.record(z.string(), z.unknown()),
      }),
    })
    .optional(),
});

/**
 * Returns what a provider that enforces the documented rules answers to a chat completion request with status 400;
 * null for a request that keeps them. Every endpoint of the tests asks it first.
 */
export function refuseRequest(body: unknown): object | null {
  const parsed = requestSchema.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return refusal(`Invalid request at ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`, null);
  }
  const format = parsed.data.response_format?.json_schema;
  if (format?.strict !== true) return null;
  const [fault] = findStrictFaults(format.schema);
  return fault === undefined
    ? null
    : refusal(
        `Invalid schema for response_format '${format.name}': In context=(${fault.path}), ${fault.problem}.`,
        "response_format",
      );
}

function refusal(message: string, param: string | null): object {
  return { error: { message, type: "invalid_request_error", param, code: null } };
}
