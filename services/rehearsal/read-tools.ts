import { z } from "zod";
import { isRecord } from "#shared/json";
import { RESULTS_MEMBER } from "#shared/model";
import type { StandInTools } from "#shared/runtime/tools";

/** Parts of a request and its messages that are about tools. */
export const toolFields = {
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).nullish(),
  tool_choice: z.unknown().optional(),
};
export const toolMessageFields = {
  tool_call_id: z.string().nullish(),
  tool_calls: z
    .array(z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }))
    .nullish(),
};

const toolParts = z.object({ ...toolFields, ...toolMessageFields });
type ToolParts = z.output<typeof toolParts>;

const resultsSchema = z.strictObject({
  [RESULTS_MEMBER]: z.array(z.object({ name: z.string(), arguments: z.string(), result: z.string() })),
});

/** Returns true for a message of the user that holds results of tools, and no question. */
export function isResults(value: unknown): boolean {
  return resultsSchema.safeParse(value).success;
}

/** Reads what a stand-in is told of the tools of its step, from turns with calls or from a message with results. */
export function readTools(
  request: Pick<ToolParts, "tools" | "tool_choice">,
  messages: readonly (Pick<ToolParts, "tool_call_id" | "tool_calls"> & {
    readonly role: string;
    readonly text: string;
  })[],
): StandInTools {
  const isOffered = !isRecord(request.tool_choice) && request.tool_choice !== "none";
  const calls = new Map(messages.flatMap(({ tool_calls: own }) => own ?? []).map((call) => [call.id, call]));
  const results = messages.flatMap(({ role, text, tool_call_id: id }) => {
    const call = role === "tool" ? calls.get(id ?? "") : undefined;
    if (call !== undefined)
      return [toResult({ name: call.function.name, arguments: call.function.arguments, result: text })];
    const told = role === "user" ? resultsSchema.safeParse(parse(text)) : undefined;
    return told?.success === true ? told.data[RESULTS_MEMBER].map(toResult) : [];
  });
  return { offered: isOffered ? (request.tools ?? []).map((tool) => tool.function.name) : [], results };
}

function toResult(told: { readonly name: string; readonly arguments: string; readonly result: string }) {
  return { tool: told.name, arguments: parse(told.arguments), outcome: parse(told.result) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
