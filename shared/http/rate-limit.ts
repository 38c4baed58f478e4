import { now } from "#shared/clock";
import { clientAddressOf } from "./addresses.ts";
import { RateLimitedError } from "./errors.ts";

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

/** Client addresses that are remembered; the one that failed longest ago goes for a new one. */
const ADDRESSES_MAX = 10_000;

/** Counts failed authentications of a request's address. @throws {RateLimitedError} from it: there were too many. */
export type CountFailure = (request: {
  readonly raw: { readonly socket: { readonly remoteAddress?: string | undefined } };
}) => void;

/**
 * Limits failed authentications by client address. Valid credentials are checked first and never limited.
 * @param bounds - How many an address has at once, and a second from then on, before they are answered with 429.
 */
export function limitFailures(bounds: {
  readonly failuresBurst: number;
  readonly failuresPerSecond: number;
}): CountFailure {
  const { failuresBurst: burst, failuresPerSecond: perSecond } = bounds;
  const limit = new RateLimit({ burst, perSecond, callersMax: ADDRESSES_MAX });
  return ({ raw }) => limit.take(clientAddressOf(raw.socket.remoteAddress));
}

/** Holder of a place: an API key and its tenant. */
export interface PlaceHolder {
  /** Name of the key. */
  readonly name: string;
  readonly tenant: string;
}

const NO_KEY: PlaceHolder = { name: "", tenant: "" };

/** The part that one key may take of what the other keys of its tenant leave. */
const KEY_SHARE = 0.5;

/**
 * Limits how many places are taken at once. Each tenant gets a share of what the others leave, and each key half of
 * what its tenant's others leave; a tenant that has none gets a place while any is free.
 */
export class FairLimit {
  private readonly max: number;
  private readonly tenantShare: () => number;
  private readonly byTenant = new Map<string, number>();
  private readonly byKey = new Map<string, number>();
  private total = 0;

  /** @param tenantShare - Above 0, at most 1. Default: 1, for a service that has only one tenant. */
  constructor(max: number, tenantShare = (): number => 1) {
    this.max = max;
    this.tenantShare = tenantShare;
  }

  /** Places that are taken. */
  get count(): number {
    return this.total;
  }

  /** Takes a place, or null. @param holder - Null: without key, counted as one. @returns Gives it back, once. */
  enter(holder: PlaceHolder | null): (() => void) | null {
    const { name, tenant } = holder ?? NO_KEY;
    const ofTenant = this.byTenant.get(tenant) ?? 0;
    const ofKey = this.byKey.get(name) ?? 0;
    const tenantMax = shareOf(this.tenantShare(), this.max - (this.total - ofTenant));
    const keyMax = shareOf(KEY_SHARE, tenantMax - (ofTenant - ofKey));
    if (this.total >= this.max || ofTenant >= tenantMax || ofKey >= keyMax) return null;
    this.add({ name, tenant }, 1);
    let isInside = true;
    return () => {
      if (isInside) this.add({ name, tenant }, -1);
      isInside = false;
    };
  }

  private add({ name, tenant }: PlaceHolder, places: 1 | -1): void {
    this.total += places;
    addTo(this.byTenant, tenant, places);
    addTo(this.byKey, name, places);
  }
}

/** Returns a share of some places, at least one. */
function shareOf(share: number, places: number): number {
  return Math.max(1, Math.floor(share * places));
}

function addTo(counts: Map<string, number>, name: string, places: number): void {
  const left = (counts.get(name) ?? 0) + places;
  if (left === 0) counts.delete(name);
  else counts.set(name, left);
}
