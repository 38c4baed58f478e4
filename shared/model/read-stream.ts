import type OpenAI from "openai";
import type { ChatCompletionCreateParamsNonStreaming } from "openai/resources";
import { isRecord } from "#shared/json";
import type { BuiltRequest } from "./build-request.ts";
import { BodyBrokenError, BodyTooLargeError, createStreamingFetch } from "./open-api.ts";
import { readErrorBody } from "./read-error-body.ts";

/** The answer to a request that asked for a stream. */
export interface StreamedBody {
  /** The completion, as it is unstreamed. Unchecked. */
  readonly body: unknown;
  /** Chunks of the stream; 0 where the endpoint answered with a body instead. */
  readonly pieces: number;
}

interface StreamOptions {
  /** Characters of an answer, and bytes of one line of the stream. */
  readonly answerBytesMax: number;
  /** Called for each chunk in which the model says something. */
  readonly onSpeech: () => void;
  readonly request: OpenAI.RequestOptions & { readonly signal: AbortSignal };
}

/** Sends a request and reads its answer as events. @throws {BodyBrokenError} It ends without a finish reason. */
async function readStream(
  api: OpenAI,
  body: ChatCompletionCreateParamsNonStreaming,
  { answerBytesMax, onSpeech, request }: StreamOptions,
): Promise<StreamedBody> {
  const { fetch, unread } = createStreamingFetch(answerBytesMax);
  const stream = await api.withOptions({ fetch }).chat.completions.create({ ...body, stream: true }, request);
  const assembly = new ChunkAssembly();
  let pieces = 0;
  try {
    for await (const chunk of stream as AsyncIterable<unknown>) {
      pieces += 1;
      unread.stop();
      if (isRecord(chunk) && chunk["object"] === "error") throw new StreamedError(chunk);
      if (assembly.add(chunk)) onSpeech();
      if (assembly.characters > answerBytesMax) throw new BodyTooLargeError();
    }
  } catch (error) {
    if (request.signal.aborted || error instanceof BodyTooLargeError) throw error;
    if (!assembly.isFinished) throw await toFailure(error, assembly.characters > 0);
  }
  // The SDK ends the iteration of a stream that is aborted without an error.
  if (request.signal.aborted) throw request.signal.reason;
  if (pieces === 0) return { body: unread.text(), pieces };
  if (!assembly.isFinished) throw new BodyBrokenError();
  return { body: assembly.toBody(), pieces };
}

/** Sends a request once and reads its answer, as a stream where it is to come as one. */
export async function postOnce(
  api: OpenAI,
  { stream = false, ...body }: BuiltRequest["body"],
  options: StreamOptions,
): Promise<StreamedBody> {
  if (stream) return readStream(api, body, options);
  return { body: await api.chat.completions.create(body, options.request), pieces: 0 };
}

/** An error that stands in a stream in place of a chunk, in the SDK's terms or in vLLM's. */
class StreamedError extends Error {
  readonly reported: unknown;

  constructor(reported: unknown) {
    super();
    this.reported = reported;
  }
}

/** Returns what a stream failed with: before the first word the error of an HTTP status, later a broken-off answer. */
async function toFailure(error: unknown, hasSpoken: boolean): Promise<unknown> {
  const { APIError } = await import("openai");
  const isReported =
    error instanceof StreamedError || (error instanceof APIError && error.status === undefined);
  if (!isReported || hasSpoken) return isReported ? new BodyBrokenError() : error;
  const reported = error instanceof StreamedError ? error.reported : { error: error.error };
  const { retryAfterMs, ...read } = readErrorBody(JSON.stringify(reported));
  const headers = new Headers(retryAfterMs === null ? {} : { "retry-after-ms": String(retryAfterMs) });
  return APIError.generate(statusOf(read), { error: read }, undefined, headers);
}

/** The HTTP status that an endpoint would have failed with, had it not begun to stream. */
function statusOf({ code, type }: { readonly code: string | null; readonly type: string | null }): number {
  const status = Number(code);
  if (status >= 400 && status < 600) return status;
  const names = `${code} ${type}`;
  if (/rate_?limit|resource_exhausted|quota|too_many/i.test(names)) return 429;
  return /server|overloaded|unavailable|internal|timeout/i.test(names) || names === "null null" ? 503 : 400;
}

type Fields = Record<string, unknown>;

/** Fields of a delta whose pieces make one text. */
const TEXTS = ["refusal", "reasoning_content", "reasoning"] as const;

/** Puts the chunks of a streamed completion together, into the body that the same answer has unstreamed. */
class ChunkAssembly {
  private readonly texts: Record<string, string> = {};
  private readonly parts: { readonly type: unknown; readonly isThought: boolean; text: string }[] = [];
  private readonly calls: { readonly index: unknown; readonly id: string; readonly call: Fields }[] = [];
  private content: string | null = null;
  private finish: string | null = null;
  private model: unknown;
  private usage: unknown;
  /** Characters that the model said, thoughts and arguments of tools included. */
  characters = 0;

  /** The endpoint said why the answer ended. */
  get isFinished(): boolean {
    return this.finish !== null;
  }

  /** Adds one chunk. Returns true when the model said something in it. */
  add(chunk: unknown): boolean {
    if (!isRecord(chunk)) return false;
    const { model, usage, choices } = chunk;
    if (typeof model === "string" && model !== "") this.model = model;
    if (isRecord(usage)) this.usage = usage;
    const choice: unknown = Array.isArray(choices) ? choices[0] : null;
    if (!isRecord(choice)) return false;
    const { finish_reason: finish, delta } = choice;
    if (typeof finish === "string" && finish !== "") this.finish = finish;
    if (!isRecord(delta)) return false;
    const before = this.characters;
    this.addContent(delta["content"]);
    for (const name of TEXTS) {
      const text = delta[name];
      if (typeof text === "string") this.texts[name] = (this.texts[name] ?? "") + this.counted(text);
    }
    const { tool_calls: calls } = delta;
    for (const one of Array.isArray(calls) ? calls : []) this.addCall(one);
    return this.characters > before;
  }

  private counted(text: string): string {
    this.characters += text.length;
    return text;
  }

  /** Adds text, or a list of parts of which some are thoughts (Mistral). */
  private addContent(content: unknown): void {
    if (Array.isArray(content)) for (const part of content) this.addPart(part);
    else if (typeof content !== "string") return;
    else if (this.parts.length > 0) this.addPart({ type: "text", text: content });
    else this.content = (this.content ?? "") + this.counted(content);
  }

  private addPart(part: unknown): void {
    if (!isRecord(part)) return;
    const { type, thinking } = part;
    const text = Array.isArray(thinking) ? thinking.map(textOfPart).join("") : textOfPart(part);
    const last = this.parts.at(-1);
    if (last !== undefined && last.type === type) last.text += this.counted(text);
    else this.parts.push({ type, isThought: Array.isArray(thinking), text: this.counted(text) });
  }

  /** Adds a fragment of a tool call. Gemini and Ollama number every call 0 and tell them apart by their ids. */
  private addCall(fragment: unknown): void {
    if (!isRecord(fragment)) return;
    const { index, id } = fragment;
    const given = isRecord(fragment["function"]) ? fragment["function"] : {};
    const ownId = typeof id === "string" ? id : "";
    const begun = this.calls.findLast(
      (one) =>
        (index === undefined || one.index === index) && (ownId === "" || one.id === "" || one.id === ownId),
    );
    const call: Fields = begun?.call ?? { type: "function", function: { name: "", arguments: "" } };
    if (begun === undefined) this.calls.push({ index, id: ownId, call });
    // Made above.
    const made = call["function"] as { name: string; arguments: string };
    if (typeof given["name"] === "string" && given["name"] !== "") made.name = this.counted(given["name"]);
    const text = typeof given["arguments"] === "string" ? given["arguments"] : textOf(given["arguments"]);
    made.arguments += this.counted(text);
    if (fragment["extra_content"] !== undefined) call["extra_content"] = fragment["extra_content"];
  }

  /** The completion so far, in the form of an unstreamed body. */
  toBody(): object {
    const message = {
      role: "assistant",
      content: this.parts.length === 0 ? this.content : this.allParts(),
      ...this.texts,
      ...(this.calls.length === 0 ? {} : { tool_calls: this.calls.map(({ call }) => call) }),
    };
    return { model: this.model, choices: [{ finish_reason: this.finish, message }], usage: this.usage };
  }

  private allParts(): object[] {
    const parts = this.parts.map(({ type, isThought, text }) =>
      isThought ? { type, thinking: [{ type: "text", text }] } : { type, text },
    );
    return this.content === null ? parts : [{ type: "text", text: this.content }, ...parts];
  }
}

function textOfPart(part: unknown): string {
  return isRecord(part) && typeof part["text"] === "string" ? part["text"] : "";
}

function textOf(given: unknown): string {
  return isRecord(given) ? JSON.stringify(given) : "";
}
