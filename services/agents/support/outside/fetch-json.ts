import { now } from "#shared/clock";
import type { Secret } from "#shared/config";
import { parseJson } from "#shared/envelope/json";
import {
  OutsideRateLimitedError,
  OutsideRefusedError,
  OutsideTimeoutError,
  OutsideUnavailableError,
} from "../errors.ts";

/** One request to an outside system. */
export interface OutsideRequest {
  /** Who is asked, for messages: `payments`. */
  readonly system: string;
  readonly url: URL;
  /** Sent as a bearer token. Default: none. */
  readonly token?: Secret | null;
  readonly method: "GET" | "POST";
  /** Sent as JSON. Default: no body. */
  readonly body?: unknown;
  /** Makes a repeat of the same effect harmless. Default: none. */
  readonly idempotencyKey?: string;
  readonly signal: AbortSignal;
}

/** How long and how much an outside system may answer. */
export interface OutsideLimits {
  /** Milliseconds for the whole answer. Default 10,000. */
  readonly timeoutMs?: number;
  /** Bytes of an answer's body. Default 262,144. */
  readonly answerBytesMax?: number;
}

const RETRY_AFTER_MS_DEFAULT = 1_000;
const RETRY_AFTER_MS_MAX = 60_000;

/**
 * Asks an outside system and gives its JSON answer, or null where it says 404.
 *
 * @throws {OutsideTimeoutError} {OutsideRateLimitedError} {OutsideUnavailableError} {OutsideRefusedError} by what
 * happened; the reason of `signal` where that was aborted. Nothing of the answer's text gets into a message.
 */
export async function fetchJson(request: OutsideRequest, limits: OutsideLimits = {}): Promise<unknown> {
  const { timeoutMs = 10_000, answerBytesMax = 262_144 } = limits;
  const { token = null } = request;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: {
        accept: "application/json",
        ...(token === null ? {} : { authorization: `Bearer ${token.reveal()}` }),
        ...(request.body === undefined ? {} : { "content-type": "application/json" }),
        ...(request.idempotencyKey === undefined ? {} : { "idempotency-key": request.idempotencyKey }),
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      redirect: "error",
      signal: AbortSignal.any([request.signal, timeout]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      if (response.status === 404) return null;
      throw refusalOf(request.system, response);
    }
    return parseJson(await readBounded(response, answerBytesMax));
  } catch (cause) {
    if (request.signal.aborted) throw request.signal.reason;
    if (timeout.aborted) throw new OutsideTimeoutError(request.system, timeoutMs);
    if (cause instanceof OutsideRateLimitedError || cause instanceof OutsideRefusedError) throw cause;
    if (cause instanceof OutsideUnavailableError) throw cause;
    throw new OutsideUnavailableError(request.system, { cause });
  }
}

function refusalOf(system: string, response: Response): Error {
  if (response.status === 429) return new OutsideRateLimitedError(system, retryAfterMs(response));
  // 408 and 425 ask for another try, as server errors do.
  if (response.status >= 500 || [408, 425].includes(response.status))
    return new OutsideUnavailableError(system, { status: response.status });
  return new OutsideRefusedError(system, response.status);
}

/** `Retry-After` in seconds or as an HTTP date, kept within bounds. */
function retryAfterMs(response: Response): number {
  const header = response.headers.get("retry-after") ?? "";
  const waitMs = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now();
  if (!Number.isFinite(waitMs)) return RETRY_AFTER_MS_DEFAULT;
  return Math.min(Math.max(waitMs, 1), RETRY_AFTER_MS_MAX);
}

async function readBounded(response: Response, bytesMax: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw new RangeError("the answer is too large");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
