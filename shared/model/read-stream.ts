import type OpenAI from "openai";
import type { ChatCompletionCreateParamsNonStreaming } from "openai/resources";
import { isRecord } from "#shared/json";
import { ChunkAssembly } from "./assemble-chunks.ts";
import { BodyBrokenError, BodyTooLargeError, createStreamingFetch } from "./bounded-fetch.ts";
import { readErrorBody } from "./read-error-body.ts";

/** The answer to a request that asked for a stream. */
export interface StreamedBody {
  /** The completion, as it is unstreamed. Unchecked. */
  readonly body: unknown;
  /** Chunks of the stream; 0 where the endpoint answered with a body instead. */
  readonly pieces: number;
}

export interface StreamOptions {
  /** Characters of an answer, and bytes of one line of the stream. */
  readonly answerBytesMax: number;
  /** Called for each chunk in which the model says something. */
  readonly onSpeech: () => void;
  readonly request: OpenAI.RequestOptions & { readonly signal: AbortSignal };
}

/**
 * Sends a request and reads its answer as server-sent events. An answer that ends without a finish reason throws
 * BodyBrokenError; one that was finished before its connection broke is whole.
 */
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
    for await (const chunk of stream) {
      pieces += 1;
      unread.stop();
      throwIfError(chunk);
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
  body: ChatCompletionCreateParamsNonStreaming,
  { streams, ...options }: StreamOptions & { readonly streams: boolean },
): Promise<StreamedBody> {
  if (streams) return readStream(api, body, options);
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

function throwIfError(chunk: unknown): void {
  if (isRecord(chunk) && chunk["object"] === "error") throw new StreamedError(chunk);
}

/**
 * Returns what a stream failed with. An error before the first word is what the same error with an HTTP status is;
 * later ones break off an answer that is paid for.
 */
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
