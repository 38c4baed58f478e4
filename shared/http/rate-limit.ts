import { now } from "#shared/clock";
import { RateLimitedError } from "./errors.ts";
import { clientAddressOf } from "./client-address.ts";

interface Bucket {
  tokens: number;
  filledMs: number;
}

/** A token bucket for each caller, in this process. */
export class RateLimit {
  private readonly burst: number;
  private readonly perSecond: number;
  private readonly callersMax: number;
  private readonly buckets = new Map<string, Bucket>();

  /**
   * @param rate.callersMax - Callers that are remembered; the one not seen for longest is dropped for a new one.
   *   Default: all, for callers from a closed list such as keys.
   */
  constructor(rate: { readonly burst: number; readonly perSecond: number; readonly callersMax?: number }) {
    this.burst = rate.burst;
    this.perSecond = rate.perSecond;
    this.callersMax = rate.callersMax ?? Number.POSITIVE_INFINITY;
  }

  /** Takes one token of the caller. @throws {RateLimitedError} with the time until there is one. */
  take(caller: string): void {
    const nowMs = now();
    const bucket = this.buckets.get(caller) ?? { tokens: this.burst, filledMs: nowMs };
    const gained = (Math.max(0, nowMs - bucket.filledMs) / 1000) * this.perSecond;
    bucket.tokens = Math.min(this.burst, bucket.tokens + gained);
    bucket.filledMs = nowMs;
    this.remember(caller, bucket);
    if (bucket.tokens < 1) throw new RateLimitedError(((1 - bucket.tokens) / this.perSecond) * 1000);
    bucket.tokens -= 1;
  }

  /** Puts the bucket last, so that the first one is always the one not used for longest. */
  private remember(caller: string, bucket: Bucket): void {
    this.buckets.delete(caller);
    this.buckets.set(caller, bucket);
    if (this.buckets.size <= this.callersMax) return;
    for (const oldest of this.buckets.keys()) {
      this.buckets.delete(oldest);
      return;
    }
  }
}

/** How many failed authentications one client address has before they are answered with 429. */
interface FailureBounds {
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
  count({
    raw,
  }: {
    readonly raw: { readonly socket: { readonly remoteAddress?: string | undefined } };
  }): void {
    this.limit.take(clientAddressOf(raw.socket.remoteAddress));
  }
}
