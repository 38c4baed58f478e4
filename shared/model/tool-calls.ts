import { z } from "zod";
import type { JsonSchema } from "#shared/json";

/** A tool as a model is told of it. */
export interface ToolDeclaration {
  /** 1 to 64 letters, digits, `_` and `-`. */
  readonly name: string;
  readonly description: string;
  /** Schema of the arguments: an object, draft 2020-12. */
  readonly jsonSchema: JsonSchema;
}

/** A call that a model asks for. Nothing in it is checked. */
export interface RequestedCall {
  readonly name: string;
  /** JSON text, as the model wrote it. */
  readonly arguments: string;
  /** Data that the endpoint wants back with the call, e.g. Google's thought signature. Default: none. */
  readonly extra?: unknown;
}

/** The calls of one answer, with what they gave. */
export interface ToolRound {
  /** The model's words beside its calls; "" for none. */
  readonly text: string;
  readonly calls: readonly (RequestedCall & { readonly result: string })[];
}

/** Member that holds calls or their results where an endpoint takes no tools: see `toolInstructions`. */
export const CALLS_MEMBER = "tool_calls";
export const RESULTS_MEMBER = "tool_results";

/** Calls of one answer that are read; the rest of a longer list is dropped. */
const CALLS_READ_MAX = 64;
const EXTRA_CHARACTERS_MAX = 32_768;

const callSchema = z.object({
  function: z.object({
    name: z.string().catch(""),
    arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).catch(""),
  }),
  extra_content: z.unknown().optional(),
});

/** Reads the `tool_calls` of a completion's message. What is no call is left out. */
export function readToolCalls(listed: unknown): RequestedCall[] {
  if (!Array.isArray(listed)) return [];
  return listed.slice(0, CALLS_READ_MAX).flatMap((one: unknown) => {
    const { data } = callSchema.safeParse(one);
    if (data === undefined) return [];
    const { name, arguments: given } = data.function;
    const { extra_content: extra = null } = data;
    const isKept = extra !== null && JSON.stringify(extra).length <= EXTRA_CHARACTERS_MAX;
    return [
      {
        name,
        arguments: typeof given === "string" ? given : JSON.stringify(given),
        ...(isKept ? { extra } : {}),
      },
    ];
  });
}
