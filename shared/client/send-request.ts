import { SutureError } from "#shared/errors";
import {
  AnswerUnreadableError,
  GatewayProblemError,
  RedirectRefusedError,
  UnreachableError,
} from "./errors.ts";
import type { Problem } from "./types.ts";

/** Address of requests, and the time for which they are repeated. */
export interface Gateway {
  /** Ends with `/`. */
  readonly base: URL;
  readonly key: string;
  /** Time over which a call is repeated, in ms. */
  readonly retryForMs: number;
  readonly fetch: typeof fetch;
}

/** One request. All may be repeated: they read, or the gateway takes repeats for one. */
export interface Call {
  readonly method?: "POST";
  /** Below the gateway's address, without a leading slash. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Blob | Uint8Array<ArrayBuffer>;
  readonly signal?: AbortSignal | undefined;
  /** Time until the headers of the answer and, unless it is a stream, its body are there, in ms. Default 30,000. */
  readonly attemptMs?: number;
}

export const ATTEMPT_MS = 30_000;
const PAUSE_MS = 250;
const PAUSE_MS_MAX = 5_000;
const JITTER_STEPS = 256;

/** Statuses of proxies and gateways that may have room, or be back, in a moment. */
const PASSING = new Set([429, 502, 503, 504]);

/**
 * Sends a request until it is answered; returns what `read` makes of it. Repeats passing failures within `retryForMs`.
 * @throws {GatewayProblemError | AnswerUnreadableError | RedirectRefusedError | UnreachableError}
 * @throws The signal's reason, when it aborts.
 */
export async function sendRequest<Value>(
  gateway: Gateway,
  call: Call,
  read: (reply: Response) => Promise<Value>,
): Promise<Value> {
  const { method = "GET", path, headers, body, signal = null, attemptMs = ATTEMPT_MS } = call;
  const init = {
    method,
    // Made here, so that a key or a value that no header can have is no network error.
    headers: new Headers({ ...headers, authorization: `Bearer ${gateway.key}` }),
    // A redirect may lead to another origin, which must not get the key or the task.
    redirect: "manual",
    signal,
    ...(body === undefined ? {} : { body }),
  } as const;
  const untilMs = performance.now() + gateway.retryForMs;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await attemptOnce(gateway, { url: new URL(path, gateway.base), init, attemptMs }, read);
    } catch (error) {
      signal?.throwIfAborted();
      const afterMs = pauseAfter(error, attempt);
      if (afterMs === null || performance.now() + afterMs > untilMs) throw error;
      await pause(afterMs, signal);
    }
  }
}

/** Returns the JSON of an answer. The gateway's answers are those that the description of the API declares. */
export async function readJson<Value>(reply: Response): Promise<Value> {
  return (await reply.json()) as Value;
}

interface Attempt {
  readonly url: URL;
  readonly init: RequestInit;
  readonly attemptMs: number;
}

async function attemptOnce<Value>(
  { fetch }: Gateway,
  { url, init, attemptMs }: Attempt,
  read: (reply: Response) => Promise<Value>,
): Promise<Value> {
  const late = new AbortController();
  const timer = setTimeout(
    () => late.abort(new DOMException("no answer in time", "TimeoutError")),
    attemptMs,
  );
  const signals = [late.signal, ...(init.signal ? [init.signal] : [])];
  let status = 0;
  try {
    const reply = await fetch(url, { ...init, signal: AbortSignal.any(signals) });
    status = reply.status;
    if (reply.type === "opaqueredirect" || (status >= 300 && status < 400)) {
      await reply.body?.cancel();
      throw new RedirectRefusedError(url.origin);
    }
    if (!reply.ok) throw await problemOf(reply, url.origin);
    return await read(reply);
  } catch (error) {
    if (error instanceof SutureError) throw error;
    if (error instanceof SyntaxError) throw new AnswerUnreadableError(url.origin, status);
    throw new UnreachableError(url.origin, error);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns what a refusal says: the service's problem, or that it is none. */
export async function problemOf(reply: Response, origin: string): Promise<Error> {
  const text = await reply.text();
  try {
    // Checked below as far as it is needed.
    const problem = JSON.parse(text) as Problem;
    if (typeof problem.code === "string" && Array.isArray(problem.errors))
      return new GatewayProblemError(problem, retryAfterOf(reply.headers));
  } catch {
    // A proxy's page.
  }
  return new AnswerUnreadableError(origin, reply.status);
}

/** Seconds, or a date, which is compared with the answer's own date: clocks may differ. Null: neither. */
function retryAfterOf(headers: Headers): number | null {
  const value = headers.get("retry-after") ?? "";
  const ms = /^\d+$/.test(value)
    ? Number(value) * 1000
    : Date.parse(value) - Date.parse(headers.get("date") ?? "");
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

/** Returns a pause before another attempt, in ms: it doubles, between half of it and all of it. */
export function growingPause(attempt: number): number {
  const [random = 0] = crypto.getRandomValues(new Uint8Array(1));
  return Math.min(PAUSE_MS_MAX, PAUSE_MS * 2 ** attempt) * (0.5 + random / (2 * JITTER_STEPS));
}

/** Null: a repeat would end the same. */
function pauseAfter(error: unknown, attempt: number): number | null {
  const growing = growingPause(attempt);
  if (error instanceof UnreachableError) return growing;
  if (error instanceof GatewayProblemError)
    return PASSING.has(error.status) ? (error.retryAfterMs ?? growing) : null;
  return error instanceof AnswerUnreadableError && PASSING.has(error.status) ? growing : null;
}

/** Waits. @throws The signal's reason, when it aborts. */
export async function pause(ms: number, signal: AbortSignal | null = null): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      // The reason of an abort need not be an error.
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
