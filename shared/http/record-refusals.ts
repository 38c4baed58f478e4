import type { IncomingHttpHeaders } from "node:http";
import type { Logger } from "pino";
import { timestamp } from "#shared/clock";
import { clientAddressOf } from "./addresses.ts";
import { ForbiddenError, RateLimitedError } from "./errors.ts";
import type { Problem } from "./problem.ts";
import { RateLimit } from "./rate-limit.ts";

/** A refused request as it is recorded: no payload, no secret, no address but the client's. */
export interface RefusedRequest {
  readonly at: string;
  readonly by: string | null;
  readonly address: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly code: string;
  readonly unrecorded: number;
}

/** The parts of a request, over HTTP or gRPC, that limits and records read. */
export interface AttemptedRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly routeOptions: { readonly url?: string | undefined };
  readonly raw: { readonly socket: { readonly remoteAddress?: string | undefined } };
}

/** A problem on its way to a client. */
export interface ToldProblem {
  readonly error: unknown;
  readonly problem: Problem;
  readonly request: AttemptedRequest;
}

/** Records of one client address, so that one client cannot fill the list; and of all together. */
const OF_ADDRESS = { burst: 20, perSecond: 0.1, callersMax: 10_000 } as const;
const OF_ALL = { burst: 200, perSecond: 2 } as const;

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/**
 * Returns what records refused attempts: credentials, roles, origins, changes. Counts those that come too fast.
 * @param parts.nameOf - Name of a request's caller; null if unknown. @param parts.write - A failure is logged.
 */
export function recordRefusals(parts: {
  readonly nameOf: (request: AttemptedRequest) => string | null;
  readonly write: (refused: RefusedRequest) => Promise<void>;
  readonly logger: Logger;
}): (told: ToldProblem) => void {
  const ofAddress = new RateLimit(OF_ADDRESS);
  const ofAll = new RateLimit(OF_ALL);
  let unrecorded = 0;
  return ({ error, problem, request }) => {
    const { status, code } = problem;
    const by = error instanceof ForbiddenError ? error.by : parts.nameOf(request);
    if (!isAttempt({ status, code, request, by })) return;
    const address = clientAddressOf(request.raw.socket.remoteAddress);
    try {
      ofAddress.take(address);
      ofAll.take("");
    } catch (refused) {
      if (!(refused instanceof RateLimitedError)) throw refused;
      unrecorded += 1;
      return;
    }
    const route = request.routeOptions.url ?? "unknown";
    const record = { at: timestamp(), by, address, method: request.method, route, status, code, unrecorded };
    unrecorded = 0;
    parts.write(record).catch((failed: unknown) => {
      parts.logger.warn({ err: failed }, "a refused attempt was not recorded");
    });
  };
}

function isAttempt(told: {
  readonly status: number;
  readonly code: string;
  readonly request: AttemptedRequest;
  readonly by: string | null;
}): boolean {
  const { status, code, request, by } = told;
  switch (status) {
    case 401:
      // Without credentials nothing was attempted: a page without a session asks again and again.
      return request.headers.authorization !== undefined || code === "login_refused";
    case 403:
      return true;
    case 409:
      return by !== null && !SAFE_METHODS.has(request.method);
    case 429:
      // Callers that are known are limited for other reasons.
      return by === null;
    default:
      return false;
  }
}
