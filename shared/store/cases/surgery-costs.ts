import { now } from "#shared/clock";
import type { Keys } from "../keys.ts";
import { Script } from "../script.ts";
import type { RedisClient } from "../script.ts";

const reserveCost = new Script("reserve-cost.lua");
const settleCost = new Script("settle-cost.lua");

const HOUR_MS = 3_600_000;

/** Limits in millionths of a USD, so that sums are exact. */
export interface SurgeryLimits {
  readonly caseMicroMax: number;
  readonly hourMicroMax: number;
}

/** Money set aside for one model call. */
export interface Reservation {
  readonly caseId: string;
  readonly micro: number;
  readonly hour: number;
}

export type Reserved =
  | { readonly kind: "reserved"; readonly reservation: Reservation }
  /** This case has had its share: a person's turn. */
  | { readonly kind: "case" }
  /** The hour's money is spent; `retryAfterMs` until the next. */
  | { readonly kind: "hour"; readonly retryAfterMs: number };

/**
 * What surgery costs, shared by all surgeons. Reserved before a call and settled after it; a surgeon that dies between
 * leaves its reservation standing, so that limits err on the side of too little.
 */
export class SurgeryCosts {
  private readonly redis: RedisClient;
  private readonly keys: Keys;

  constructor(redis: RedisClient, keys: Keys) {
    this.redis = redis;
    this.keys = keys;
  }

  async reserve(request: { caseId: string; micro: number; limits: SurgeryLimits }): Promise<Reserved> {
    const at = now();
    const hour = Math.floor(at / HOUR_MS);
    const reply = await reserveCost.run(this.redis, {
      keys: [this.keys.ward(`case:${request.caseId}`), this.hourKey(hour)],
      args: [request.micro, request.limits.caseMicroMax, request.limits.hourMicroMax, 2 * HOUR_MS],
    });
    if (reply === "case") return { kind: "case" };
    if (reply === "hour") return { kind: "hour", retryAfterMs: (hour + 1) * HOUR_MS - at };
    return { kind: "reserved", reservation: { caseId: request.caseId, micro: request.micro, hour } };
  }

  /** Sets the true cost, and keeps the answer that was paid for, so that nobody pays for it again. */
  async settle(
    reservation: Reservation,
    paid: { micro: number; answer: { readonly field: string; readonly text: string } | null },
  ): Promise<void> {
    await settleCost.run(this.redis, {
      keys: [this.keys.ward(`case:${reservation.caseId}`), this.hourKey(reservation.hour)],
      args: [paid.micro - reservation.micro, paid.answer?.field ?? "", paid.answer?.text ?? ""],
    });
  }

  /** Spent or reserved in the current hour, in micro-USD. */
  async spentThisHour(): Promise<number> {
    return Number((await this.redis.get(this.hourKey(Math.floor(now() / HOUR_MS)))) ?? 0);
  }

  private hourKey(hour: number): string {
    return this.keys.ward(`cost:${hour}`);
  }
}
