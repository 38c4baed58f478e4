import { z } from "zod";
import type { ModelAnswer } from "./model-client.ts";

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
        }),
      }),
    )
    .min(1),
  usage: z.unknown().optional(),
});

/** A completion in our words. */
export interface Completion {
  readonly text: string;
  /** As the endpoint names it; null when it does not. */
  readonly model: string | null;
  readonly finish: ModelAnswer["finish"];
  /** Unchecked. */
  readonly usage: unknown;
}

/** Reads what the endpoint sent with status 200; null when it is no completion (a page of HTML, half an object). */
export function readCompletion(body: unknown): Completion | null {
  const parsed = completionSchema.safeParse(typeof body === "string" ? parseText(body) : body);
  const choice = parsed.data?.choices[0];
  if (parsed.data === undefined || choice === undefined) return null;
  const { content, refusal } = choice.message;
  const text = Array.isArray(content) ? content.map((part) => part.text ?? "").join("") : (content ?? "");
  const isRefusal = (refusal ?? "") !== "" || choice.finish_reason === "content_filter";
  return {
    text,
    model: parsed.data.model ?? null,
    finish: isRefusal ? "refusal" : readFinish(choice.finish_reason),
    usage: parsed.data.usage,
  };
}

/** Some servers send JSON under another content type, which the SDK then leaves as text. */
function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function readFinish(reason: string | null | undefined): ModelAnswer["finish"] {
  return reason === "stop" || reason === "length" ? reason : "other";
}
