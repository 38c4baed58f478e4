import { clientAddressOf } from "./client-address.ts";
import { RateLimit } from "./rate-limit.ts";
import type { AttemptedRequest } from "./record-refusals.ts";

/** How many failed authentications one client address has before they are answered with 429. */
export interface FailureBounds {
  /** At once. */
  readonly failuresBurst: number;
  /** And this many a second from then on. */
  readonly failuresPerSecond: number;
}

/** Addresses that are remembered; the one that failed longest ago goes for a new one. */
const ADDRESSES_MAX = 10_000;

/**
 * Limits failed authentications by client address. Valid credentials are never limited, whatever else comes from their
 * address: credentials are checked first, and only failures are counted.
 */
export class FailedAttempts {
  private readonly limit: RateLimit;

  constructor({ failuresBurst, failuresPerSecond }: FailureBounds) {
    this.limit = new RateLimit({
      burst: failuresBurst,
      perSecond: failuresPerSecond,
      callersMax: ADDRESSES_MAX,
    });
  }

  /** Counts a failure of the request's address. @throws {RateLimitedError} The address has had too many. */
  count(request: Pick<AttemptedRequest, "raw">): void {
    this.limit.take(clientAddressOf(request.raw.socket.remoteAddress));
  }
}
