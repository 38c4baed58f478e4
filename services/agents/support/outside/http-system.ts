import { z } from "zod";
import { now } from "#shared/clock";
import type { OutsideAddress } from "#shared/config";
import { readJsonAnswer } from "#shared/envelope/json";
import {
  OutsideRateLimitedError,
  OutsideRefusedError,
  OutsideTimeoutError,
  OutsideUnavailableError,
} from "../errors.ts";

/** Effects of one kind, each under an idempotency key. */
export interface EffectPort<Draft, Made> {
  /** Causes an effect. The same key causes it once, however often it is asked for. */
  readonly make: (draft: Draft, idempotencyKey: string, signal: AbortSignal) => Promise<Made>;
  /** Returns what was made under a key, or null: after a crash this says whether it happened. */
  readonly find: (idempotencyKey: string, signal: AbortSignal) => Promise<Made | null>;
}

/** How long and how much an outside system may answer. */
export interface OutsideLimits {
  /** Milliseconds for the whole answer. Default 10,000. */
  readonly timeoutMs?: number;
  /** Bytes of an answer's body. Default 262,144. */
  readonly answerBytesMax?: number;
}

interface Ask<Schema extends z.ZodType> {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Posted under `idempotencyKey`. Absent: nothing is posted. */
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly answer: Schema;
  readonly signal: AbortSignal;
}

const OWN = [OutsideRateLimitedError, OutsideRefusedError, OutsideUnavailableError];
const RETRY_AFTER_MS_DEFAULT = 1_000;
const RETRY_AFTER_MS_MAX = 60_000;

/**
 * One outside system reached over HTTP; its answers are checked before anyone reads them. Its methods throw one of the
 * `Outside…Error` by what happened, and the reason of a signal that was aborted. No text of an answer gets into a
 * message.
 */
export class HttpSystem {
  private readonly name: string;
  private readonly address: () => OutsideAddress;
  private readonly timeoutMs: number;
  private readonly bytesMax: number;

  constructor(name: string, address: () => OutsideAddress, limits: OutsideLimits) {
    this.name = name;
    this.address = address;
    this.timeoutMs = limits.timeoutMs ?? 10_000;
    this.bytesMax = limits.answerBytesMax ?? 262_144;
  }

  /** Null: 404. */
  async find<Schema extends z.ZodType>(ask: Ask<Schema>): Promise<z.output<Schema> | null> {
    const address = this.address();
    const timeout = AbortSignal.timeout(this.timeoutMs);
    try {
      const response = await send(address, ask, AbortSignal.any([ask.signal, timeout]));
      if (response.ok) return ask.answer.parse(await readJsonAnswer(response, this.bytesMax));
      await response.body?.cancel();
      if (response.status === 404) return null;
      throw refusalOf(this.name, response);
    } catch (cause) {
      if (ask.signal.aborted) throw ask.signal.reason;
      if (timeout.aborted) throw new OutsideTimeoutError(this.name, this.timeoutMs);
      if (OWN.some((kind) => cause instanceof kind)) throw cause;
      // What a schema says of an answer may hold the answer's words.
      throw new OutsideUnavailableError(this.name, cause instanceof z.ZodError ? {} : { cause });
    }
  }

  /** Returns the effects of a path: made by POST, and listed by GET with their key under the path's last name. */
  effects<Draft, Made extends z.ZodType>(path: string, made: Made): EffectPort<Draft, z.output<Made>> {
    const name = path.split("/").at(-1) ?? path;
    return {
      make: async (body, idempotencyKey, signal) => {
        const answer = await this.find({ path, body, idempotencyKey, answer: made, signal });
        if (answer === null) throw new OutsideRefusedError(this.name, 404);
        return answer;
      },
      find: async (key, signal) => {
        const answer = z.object({ [name]: z.array(made) });
        const found = await this.find({ path, query: { key }, answer, signal });
        return found?.[name]?.[0] ?? null;
      },
    };
  }
}

function send(
  { url: base, token }: OutsideAddress,
  { path, query = {}, body, idempotencyKey = "" }: Ask<z.ZodType>,
  signal: AbortSignal,
): Promise<Response> {
  const url = new URL(`${base}/${path}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const authorization = token === null ? {} : { authorization: `Bearer ${token.reveal()}` };
  const headers = { accept: "application/json", ...authorization };
  const asked = { redirect: "error", signal } as const;
  if (body === undefined) return fetch(url, { ...asked, headers });
  const posted = { ...headers, "content-type": "application/json", "idempotency-key": idempotencyKey };
  return fetch(url, { ...asked, method: "POST", headers: posted, body: JSON.stringify(body) });
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
