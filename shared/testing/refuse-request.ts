import { z } from "zod";
import { findStrictFaults } from "#shared/model";

const nameSchema = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

const requestSchema = z.object({
  model: z.string().min(1),
  messages: z
    .array(z.object({ role: z.string(), content: z.union([z.string(), z.array(z.unknown()).min(1)]) }))
    .min(1),
  response_format: z
    .discriminatedUnion("type", [
      z.object({
        type: z.literal("json_schema"),
        json_schema: z.object({
          name: nameSchema,
          strict: z.boolean().optional(),
          schema: z.record(z.string(), z.unknown()),
        }),
      }),
      z.object({ type: z.literal("json_object") }),
    ])
    .optional(),
  tools: z
    .array(
      z.object({
        type: z.literal("function"),
        function: z.object({
          name: nameSchema,
          strict: z.boolean().optional(),
          parameters: z.record(z.string(), z.unknown()),
        }),
      }),
    )
    .min(1)
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
  const { response_format: format, tools = [] } = parsed.data;
  const schemas = [
    ...(format?.type === "json_schema"
      ? [{ ...format.json_schema, of: "response_format", path: "response_format" }]
      : []),
    ...tools.map(({ function: { parameters, ...rest } }, index) => ({
      ...rest,
      schema: parameters,
      of: "function",
      path: `tools[${index}].function.parameters`,
    })),
  ];
  for (const { name, strict, schema, of, path } of schemas) {
    const [fault] = strict === true ? findStrictFaults(schema) : [];
    if (fault === undefined) continue;
    return refusal(`Invalid schema for ${of} '${name}': In context=(${fault.path}), ${fault.problem}.`, path);
  }
  return null;
}

function refusal(message: string, param: string | null): object {
  return { error: { message, type: "invalid_request_error", param, code: null } };
}
