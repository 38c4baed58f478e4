import { now } from "#shared/clock";
import { RateLimitedError } from "./errors.ts";

interface Bucket {
  tokens: number;
  filledMs: number;
}

/** A token bucket for each caller, in this process. Callers are named from a closed list: keys, sessions, routes. */
export class RateLimit {
  private readonly burst: number;
  private readonly perSecond: number;
  private readonly buckets = new Map<string, Bucket>();

  constructor(rate: { readonly burst: number; readonly perSecond: number }) {
    this.burst = rate.burst;
    this.perSecond = rate.perSecond;
  }

  /** Takes one token of the caller. @throws {RateLimitedError} with the time until there is one. */
  take(caller: string): void {
    const nowMs = now();
    const bucket = this.buckets.get(caller) ?? { tokens: this.burst, filledMs: nowMs };
    const gained = (Math.max(0, nowMs - bucket.filledMs) / 1000) * this.perSecond;
    bucket.tokens = Math.min(this.burst, bucket.tokens + gained);
    bucket.filledMs = nowMs;
    this.buckets.set(caller, bucket);
    if (bucket.tokens < 1) throw new RateLimitedError(((1 - bucket.tokens) / this.perSecond) * 1000);
    bucket.tokens -= 1;
  }
}
