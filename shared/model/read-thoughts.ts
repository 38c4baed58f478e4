import { isRecord } from "#shared/json";

/** Names under which endpoints put a model's thoughts beside its answer. */
const FIELDS = ["reasoning_content", "reasoning"] as const;

const MARKED = /^\s*<think>([^]*?)(?:<\/think>|$)/;

/**
 * Returns the length of the thoughts that came with a completion, in characters: beside the answer, as parts of it
 * (Mistral), or marked in its text. 0 for none, or for something that is no completion.
 */
export function readThoughts(body: unknown): number {
  const choice = isRecord(body) && Array.isArray(body["choices"]) ? (body["choices"][0] as unknown) : null;
  const message = isRecord(choice) ? choice["message"] : null;
  if (!isRecord(message)) return 0;
  const beside = FIELDS.map((field) => message[field]).map((text) =>
    typeof text === "string" ? text.length : 0,
  );
  const { content } = message;
  const within = Array.isArray(content)
    ? content.filter((part) => isRecord(part) && part["type"] === "thinking")
    : [];
  const marked = typeof content === "string" ? (MARKED.exec(content)?.[1] ?? "").length : 0;
  return Math.max(...beside, within.length === 0 ? 0 : JSON.stringify(within).length, marked);
}

const OPENING = /^\s*<(think|thinking|thought|reasoning)>/i;
const CLOSING = /<\/(?:think|thinking|thought|reasoning)>/i;

/**
 * Takes off the thoughts that some servers leave at the head of an answer, between tags. A template may have written
 * the opening tag itself, so that the closing one stands alone; text that begins like JSON or XML has none.
 */
export function withoutThoughts(text: string): string {
  const closing = CLOSING.exec(text);
  if (closing === null) return text;
  const isOpened = OPENING.test(text);
  if (!isOpened && /^\s*[{["<`]/.test(text)) return text;
  return text.slice(closing.index + closing[0].length).trimStart();
}
