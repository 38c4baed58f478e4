import { readBytes } from "#shared/envelope/json";
import { codeOf } from "#shared/errors";
import {
  RemoteAgentProtocolError,
  RemoteAgentRateLimitedError,
  RemoteAgentUnavailableError,
} from "./errors.ts";

/** Pause where a 429 names none, and the longest that is taken over from one, in ms. */
const RETRY_AFTER_MS = { fallback: 1000, max: 60_000 } as const;

export interface FetchRules {
  /** Id of our agent, for errors. */
  readonly id: string;
  /** Origins that may be asked. */
  readonly origins: ReadonlySet<string>;
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
  /** Bytes of one response, after decompression. */
  readonly bytesMax: number;
}

/**
 * Returns a `fetch` that asks no other origin, follows no redirect, bounds what it reads, and throws an error of ours
 * for what is no answer. The headers, which may hold a key, go to the allowed origins alone.
 *
 * @param signal - Ends the request and the reading of its body.
 */
export function guardedFetch(rules: FetchRules, signal: AbortSignal): typeof fetch {
  const { id, origins, bytesMax } = rules;
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (!origins.has(url.origin))
      throw new RemoteAgentProtocolError(id, `leads to another origin, ${url.origin.slice(0, 100)}`);
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(await rules.headers())) headers.set(name, value);
    const response = await fetch(url, { ...init, headers, signal, redirect: "manual" }).catch(
      (error: unknown) => {
        signal.throwIfAborted();
        throw new RemoteAgentUnavailableError(id, `could not be reached (${codeOf(error)})`);
      },
    );
    refuseStatus(id, response);
    return new Response(await readBody(response, { id, bytesMax, signal }), {
      status: response.status,
      headers: { "content-type": response.headers.get("content-type") ?? "" },
    });
  };
}

/** Errors of the protocol come with 200 (JSON-RPC) or with 4xx and a body; the rest is told apart here. */
function refuseStatus(id: string, { status, headers }: Response): void {
  if (status === 429) throw new RemoteAgentRateLimitedError(id, retryAfterMs(headers.get("retry-after")));
  if (status >= 500) throw new RemoteAgentUnavailableError(id, `answered with status ${status}`);
  if (status === 401 || status === 403)
    throw new RemoteAgentProtocolError(id, `refuses our key (status ${status})`);
  if (status >= 300 && status < 400)
    throw new RemoteAgentProtocolError(id, `redirects (status ${status}), which is not followed`);
}

export function retryAfterMs(retryAfter: string | null | undefined): number {
  const seconds = Number(retryAfter ?? Number.NaN);
  if (!(seconds > 0)) return RETRY_AFTER_MS.fallback;
  return Math.min(seconds * 1000, RETRY_AFTER_MS.max);
}

async function readBody(
  response: Response,
  { id, bytesMax, signal }: Pick<FetchRules, "id" | "bytesMax"> & { readonly signal: AbortSignal },
): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    const bytes = await readBytes(response, bytesMax);
    // Status 204 and its like have no body.
    return bytes.length === 0 ? null : bytes;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RangeError)
      throw new RemoteAgentProtocolError(id, `answers with more than ${bytesMax} bytes`);
    throw new RemoteAgentUnavailableError(id, `broke off (${codeOf(error)})`);
  }
}
