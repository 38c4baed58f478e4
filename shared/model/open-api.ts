import type OpenAI from "openai";
import { readBytes } from "#shared/envelope/json";
import { readErrorBody } from "./read-error-body.ts";

/** Loads the SDK at the first call: it is a fifth of what a service loads at start, and most ask no model. */
export async function openApi(
  options: { readonly baseUrl: string; readonly apiKey: string },
  answerBytesMax: number,
): Promise<OpenAI> {
  const { default: Sdk } = await import("openai");
  return new Sdk({
    apiKey: options.apiKey,
    baseURL: options.baseUrl,
    // Given here, so that the SDK does not look for them in the environment.
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    logLevel: "off",
    // Retrying is the retry queue's work: it survives this process, and it counts.
    maxRetries: 0,
    // Reads the whole body, so that time and byte limits hold. Follows no redirect: the request carries a key.
    fetch: async (input, init) =>
      readWhole(await fetch(input, { ...init, redirect: "manual" }), answerBytesMax),
  });
}

/** The body passed the limit. Never leaves this room: `ask` turns it into a ModelAnswerTooLargeError. */
export class BodyTooLargeError extends Error {}

/** The body ended before its end. Never leaves this room: `ask` turns it into a ModelUnavailableError. */
export class BodyBrokenError extends Error {}

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

async function readWhole(response: Response, bytesMax: number): Promise<Response> {
  const body = await readBody(response, bytesMax);
  const headers = decodedHeaders(response);
  if (response.status >= 400) return failureOf(response.status, body, headers);
  const isBodyless = [101, 204, 205, 304].includes(response.status);
  return new Response(isBodyless ? null : body, { status: response.status, headers });
}

/** The body is decoded already; what described its bytes on the wire no longer holds. */
function decodedHeaders(response: Response): Headers {
  const headers = new Headers(response.headers);
  headers.delete("content-encoding");
  headers.delete("content-length");
  return headers;
}

/** Raw bytes of a stream per byte of its answer, at most: each word comes in an object of its own. */
const STREAM_OVERHEAD_MAX = 64;
const NEWLINE = 0x0a;

/** Keeps the text of a response until the first event of its stream. */
interface UnreadText {
  text(): string;
  /** Keeps no more, and drops what was kept. */
  stop(): void;
}

/** Makes a fetch whose answer is read as it comes; ends with BodyTooLargeError or BodyBrokenError. */
export function createStreamingFetch(bytesMax: number): {
  readonly fetch: Fetch;
  readonly unread: UnreadText;
} {
  let kept: Uint8Array[] | null = [];
  async function* pass(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let total = 0;
    let line = 0;
    try {
      for await (const chunk of body) {
        total += chunk.byteLength;
        const at = chunk.lastIndexOf(NEWLINE);
        line = at === -1 ? line + chunk.byteLength : chunk.byteLength - at - 1;
        if (line > bytesMax || total > bytesMax * STREAM_OVERHEAD_MAX) throw new BodyTooLargeError();
        if (kept !== null && total > bytesMax) throw new BodyTooLargeError();
        kept?.push(chunk);
        yield chunk;
      }
    } catch (error) {
      throw error instanceof BodyTooLargeError ? error : new BodyBrokenError();
    }
  }
  return {
    unread: {
      text: () => new TextDecoder().decode(Buffer.concat(kept ?? [])),
      stop: () => (kept = null),
    },
    fetch: async (input, init) => {
      const response = await fetch(input, { ...init, redirect: "manual" });
      if (response.status !== 200 || response.body === null) return readWhole(response, bytesMax);
      return new Response(ReadableStream.from(pass(response.body)), {
        status: 200,
        headers: decodedHeaders(response),
      });
    },
  };
}

/** A failed response in OpenAI's terms, because the SDK reads no other error bodies. */
function failureOf(status: number, body: Uint8Array, headers: Headers): Response {
  const { retryAfterMs, ...error } = readErrorBody(new TextDecoder().decode(body));
  headers.set("content-type", "application/json");
  const isTimed = headers.has("retry-after") || headers.has("retry-after-ms");
  if (retryAfterMs !== null && !isTimed) headers.set("retry-after-ms", String(retryAfterMs));
  return new Response(JSON.stringify({ error }), { status, headers });
}

async function readBody(response: Response, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await readBytes(response, bytesMax);
  } catch (error) {
    throw error instanceof RangeError ? new BodyTooLargeError() : new BodyBrokenError();
  }
}
