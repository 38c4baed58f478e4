import { z } from "zod";
import { findStrictFaults } from "#shared/model";

const nameSchema = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

const callSchema = z.object({
  id: z.string().min(1),
  type: z.literal("function"),
  function: z.object({ name: nameSchema, arguments: z.string() }),
});

const requestSchema = z.object({
  model: z.string().min(1),
  messages: z
    .array(
      z
        .object({
          role: z.string(),
          content: z.union([z.string(), z.array(z.unknown()).min(1)]).nullable(),
          tool_calls: z.array(callSchema).min(1).optional(),
          tool_call_id: z.string().optional(),
        })
        .refine(({ content, tool_calls: calls }) => content !== null || calls !== undefined),
    )
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
          description: z.string().max(1024).optional(),
          strict: z.boolean().optional(),
          parameters: z.record(z.string(), z.unknown()),
        }),
      }),
    )
    .min(1)
    .max(128)
    .optional(),
});

/** Returns a strict provider's answer of status 400 to a chat completion request; null for a sound request. */
export function refuseRequest(body: unknown): object | null {
  const parsed = requestSchema.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return refusal(`Invalid request at ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`, null);
  }
  const { response_format: format, tools = [], messages } = parsed.data;
  const open = findUnanswered(messages);
  if (open !== null) return refusal(open, "messages");
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

/** Every call is answered by the messages right after it, and nothing else is. */
function findUnanswered(messages: z.output<typeof requestSchema>["messages"]): string | null {
  let open = new Set<string>();
  for (const { role, tool_calls: calls = [], tool_call_id: id = "" } of messages) {
    if (role === "tool") {
      if (!open.delete(id))
        return "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'.";
      continue;
    }
    if (open.size > 0)
      return "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.";
    open = new Set(calls.map((call) => call.id));
    if (open.size < calls.length) return "Duplicate tool call ids.";
  }
  return open.size > 0 ? "Tool calls without a response." : null;
}

function refusal(message: string, param: string | null): object {
  return { error: { message, type: "invalid_request_error", param, code: null } };
}
