import { z } from "zod";
import { parseJson } from "./parse-json.ts";
import type { ModelAnswer } from "./model-client.ts";
import { readToolCalls } from "./tool-calls.ts";
import type { RequestedCall } from "./tool-calls.ts";
import { withoutThoughts } from "./read-thoughts.ts";

/** What of a completion we look at. Everything else an endpoint adds is ignored. */
const completionSchema = z.object({
  model: z.string().min(1).max(200).optional().catch(undefined),
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish().catch(null),
        message: z.object({
          content: z
            .union([z.string(), z.null(), z.array(z.object({ text: z.string().optional() }))])
            .optional(),
          refusal: z.string().nullish().catch(null),
          tool_calls: z.unknown().optional(),
        }),
      }),
    )
    .min(1),
  usage: z.unknown().optional(),
});

/** A completion in our words. */
export interface Completion {
  readonly text: string;
  /** Tool calls, unchecked. */
  readonly calls: readonly RequestedCall[];
  /** As the endpoint names it; null when it does not. */
  readonly model: string | null;
  readonly finish: ModelAnswer["finish"];
  /** Unchecked. */
  readonly usage: unknown;
}

/**
 * Reads what the endpoint sent with status 200; null when it is no completion (a page of HTML, half an object).
 *
 * @param isByTool - The answer was asked for as a tool's arguments. Default false.
 */
export function readCompletion(body: unknown, isByTool = false): Completion | null {
  // Some servers send JSON under another content type, which the SDK then leaves as text.
  const parsed = completionSchema.safeParse(typeof body === "string" ? parseJson(body) : body);
  const choice = parsed.data?.choices[0];
  if (parsed.data === undefined || choice === undefined) return null;
  const { content, refusal } = choice.message;
  const calls = readToolCalls(choice.message.tool_calls);
  const said = Array.isArray(content) ? content.map((part) => part.text ?? "").join("") : (content ?? "");
  const given = isByTool ? calls[0]?.arguments : undefined;
  // Google names the filter's reason after a colon.
  const isRefusal = (refusal ?? "") !== "" || choice.finish_reason?.startsWith("content_filter") === true;
  return {
    text: given ?? withoutThoughts(said),
    calls,
    model: parsed.data.model ?? null,
    finish: isRefusal ? "refusal" : readFinish(choice.finish_reason),
    usage: parsed.data.usage,
  };
}

/** Reasons by which servers end an answer, beside OpenAI's own: Mistral's, and those of APIs that proxies pass on. */
const FINISHES: Readonly<Record<string, ModelAnswer["finish"]>> = {
  stop: "stop",
  tool_calls: "stop",
  function_call: "stop",
  end_turn: "stop",
  tool_use: "stop",
  stop_sequence: "stop",
  eos: "stop",
  length: "length",
  max_tokens: "length",
  model_length: "length",
};

function readFinish(reason: string | null | undefined): ModelAnswer["finish"] {
  const known = reason?.toLowerCase() ?? "";
  return Object.hasOwn(FINISHES, known) ? (FINISHES[known] ?? "other") : "other";
}
