import type { z } from "zod";
import { now } from "#shared/clock";
import type { OutsideAddress } from "#shared/config";
import { readJsonAnswer } from "#shared/envelope/json";
import { defineError } from "#shared/errors";

/** An outside system limits our rate (status 429). */
export class OutsideRateLimitedError extends defineError((system: string, retryAfterMs: number) => ({
  code: "OUTSIDE_RATE_LIMITED",
  failureClass: "rate_limited",
  message: `${system} limits our rate for the next ${retryAfterMs} ms.`,
  remedy: "The message waits by itself; if that is too long, lower the agent's concurrency.",
  /** Milliseconds to wait before asking again; at least 1. */
  retryAfterMs,
})) {}

/** An outside system could not be reached, was too slow, or answered with a server error or in a wrong form. */
export class OutsideUnavailableError extends defineError(
  (system: string, problem?: string, cause?: unknown) => ({
    code: "OUTSIDE_UNAVAILABLE",
    failureClass: "transient",
    message: `${system} ${problem ?? "could not be reached or broke off"}.`,
    remedy: "The message is tried again; look at that system's own status if it keeps happening.",
    cause,
  }),
) {}

/** An outside system will never take this request as it is. */
export class OutsideRefusedError extends defineError((system: string, status: number) => ({
  code: "OUTSIDE_REFUSED",
  failureClass: "handler_error",
  severity: "fatal",
  message: `${system} refused the request with status ${status}.`,
  remedy: "Compare what is sent with that system's interface; another try will not help.",
})) {}

/** Bounds of the time and size of an outside answer. */
export interface OutsideLimits {
  /** Milliseconds for the whole answer. Default 10,000. */
  readonly timeoutMs?: number;
  /** Bytes of an answer's body. Default 262,144. */
  readonly answerBytesMax?: number;
}

export interface OutsideRequest<Answer extends z.ZodType> extends OutsideLimits {
  /** Below the system's address. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Posted as JSON under `idempotencyKey`. Absent: GET. */
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  /** Schema of the answer. */
  readonly answer: Answer;
  readonly signal: AbortSignal;
}

const OWN = [OutsideRateLimitedError, OutsideRefusedError, OutsideUnavailableError];
const RETRY_AFTER_MS_DEFAULT = 1_000;
const RETRY_AFTER_MS_MAX = 60_000;

/**
 * Asks an outside system for JSON; redirects are refused, so that the token goes to its address alone. Null: 404. No
 * text of an answer gets into an error.
 *
 * @param system - Its name in errors.
 * @throws {OutsideRateLimitedError | OutsideRefusedError | OutsideUnavailableError} Or the reason of an aborted signal.
 */
export async function askOutside<Answer extends z.ZodType>(
  system: string,
  address: Pick<OutsideAddress, "url" | "token">,
  request: OutsideRequest<Answer>,
): Promise<z.output<Answer> | null> {
  const { signal, answer, timeoutMs = 10_000, answerBytesMax = 262_144 } = request;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await send(address, request, AbortSignal.any([signal, timeout]));
    if (response.ok) {
      const parsed = answer.safeParse(await readJsonAnswer(response, answerBytesMax));
      if (parsed.success) return parsed.data;
      const place = parsed.error.issues[0]?.path.join("/") ?? "";
      throw new OutsideUnavailableError(system, `answered in a wrong form at /${place}`);
    }
    await response.body?.cancel();
    if (response.status === 404) return null;
    throw refusalOf(system, response);
  } catch (cause) {
    signal.throwIfAborted();
    if (OWN.some((kind) => cause instanceof kind)) throw cause;
    if (timeout.aborted)
      throw new OutsideUnavailableError(system, `gave no complete answer within ${timeoutMs} ms`);
    // Of fetch itself; a parser's error may hold the answer's words.
    if (cause instanceof TypeError) throw new OutsideUnavailableError(system, undefined, cause);
    throw new OutsideUnavailableError(system, `answered with no JSON, or more than ${answerBytesMax} bytes`);
  }
}

function send(
  { url: base, token }: Pick<OutsideAddress, "url" | "token">,
  { path, query = {}, body, idempotencyKey = "" }: OutsideRequest<z.ZodType>,
  signal: AbortSignal,
): Promise<Response> {
  const url = new URL(`${base}/${path}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const authorization = token === null ? {} : { authorization: `Bearer ${token.reveal()}` };
  const headers = { accept: "application/json", ...authorization };
  if (body === undefined) return fetch(url, { redirect: "error", signal, headers });
  const posted = { ...headers, "content-type": "application/json", "idempotency-key": idempotencyKey };
  return fetch(url, {
    redirect: "error",
    signal,
    method: "POST",
    headers: posted,
    body: JSON.stringify(body),
  });
}

function refusalOf(system: string, { status, headers }: Response): Error {
  if (status === 429)
    return new OutsideRateLimitedError(system, readRetryAfter(headers, { usual: RETRY_AFTER_MS_DEFAULT }));
  // 408 and 425 ask for another try, as server errors do.
  if (status >= 500 || [408, 425].includes(status))
    return new OutsideUnavailableError(system, `answered with status ${status}`);
  return new OutsideRefusedError(system, status);
}

/** A number without sign or exponent. */
const NUMBER = /^\d{1,15}(?:\.\d{1,9})?$/;

/**
 * Returns the wait that a 429 asks for, in ms: `retry-after-ms`, else `retry-after` in seconds or as a date.
 * @param wait.usual - Where it names none. @param wait.min - Least, default 1. At most it is a minute.
 */
export function readRetryAfter(
  headers: Headers | undefined,
  { usual, min = 1 }: { readonly usual: number; readonly min?: number },
): number {
  const [ms = "", after = ""] = ["retry-after-ms", "retry-after"].map((name) => headers?.get(name)?.trim());
  const inMs = NUMBER.test(ms) ? Number(ms) : NUMBER.test(after) ? Number(after) * 1000 : Number.NaN;
  // Only dates name a day or month; `Date.parse` also reads "-5" and other numbers as years.
  const untilMs = /[A-Za-z]{3}/.test(after) ? Date.parse(after) - now() : Number.NaN;
  const asked = [inMs, untilMs].find((one) => !Number.isNaN(one)) ?? usual;
  return Math.min(RETRY_AFTER_MS_MAX, Math.max(min, Math.ceil(asked)));
}
