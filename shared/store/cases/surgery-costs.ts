import { now } from "#shared/clock";
import type { Keys } from "../keys.ts";
import { reserveCost, settleCost } from "../scripts/cases.ts";
import type { RedisClient } from "../script.ts";

const HOUR_MS = 3_600_000;

/** Hours of spending that are kept, the current one included. */
export const COST_HOURS = 24;

/** Limits in millionths of a USD, so that sums are exact. */
export interface SurgeryLimits {
  readonly caseMicroMax: number;
  readonly hourMicroMax: number;
  /** What of the hour's money one tenant may have. */
  readonly tenantMicroMax: number;
  readonly groupMicroMax: number;
}

/** What the limit of the current hour held back. Epoch milliseconds. */
export interface HeldByLimit {
  readonly since_ms: number;
  /** When the next hour's money is there. */
  readonly until_ms: number;
  /** Micro-USD: the limit that said no. */
  readonly limit_micro: number;
  /** Calls of a model that it put off. A case that asks twice counts twice. */
  readonly refusals: number;
}

/** Money set aside for one model call. */
export interface Reservation {
  readonly caseId: string;
  readonly fingerprint: string;
  readonly tenant: string;
  readonly micro: number;
  readonly hour: number;
}

export type Reserved =
  | { readonly kind: "reserved"; readonly reservation: Reservation }
  /** This case has had its share: a person's turn. */
  | { readonly kind: "case" }
  /** So has its group, in all the time that it is kept. */
  | { readonly kind: "group" }
  /** The hour's money is spent, or the tenant's part of it; `retryAfterMs` until the next. */
  | { readonly kind: "hour"; readonly retryAfterMs: number };

/**
 * What surgery costs, shared by all surgeons. Reserved before a call and settled after it; a surgeon that dies
 * between leaves its reservation standing, so that limits err on the side of too little.
 */
export class SurgeryCosts {
  private readonly redis: RedisClient;
  private readonly keys: Keys;

  constructor(redis: RedisClient, keys: Keys) {
    this.redis = redis;
    this.keys = keys;
  }

  async reserve(request: {
    readonly caseId: string;
    readonly fingerprint: string;
    /** Who owns the message's run. */
    readonly tenant: string;
    readonly micro: number;
    readonly limits: SurgeryLimits;
  }): Promise<Reserved> {
    const { caseId, fingerprint, tenant, micro, limits } = request;
    const at = now();
    const hour = Math.floor(at / HOUR_MS);
    const kind = await reserveCost.run(this.redis, {
      case: this.keys.ward(`case:${caseId}`),
      spentInHour: this.hourKey(hour),
      group: this.groupKey(fingerprint),
      heldBack: this.heldKey(hour),
      spentByTenant: this.tenantKey(hour, tenant),
      amount: micro,
      caseMax: limits.caseMicroMax,
      hourMax: limits.hourMicroMax,
      groupMax: limits.groupMicroMax,
      tenantMax: limits.tenantMicroMax,
      hourLifeMs: (COST_HOURS + 1) * HOUR_MS,
      nowMs: at,
    });
    if (kind === "hour") return { kind, retryAfterMs: (hour + 1) * HOUR_MS - at };
    if (kind !== "reserved") return { kind };
    return { kind, reservation: { caseId, fingerprint, tenant, micro, hour } };
  }

  /**
   * Sets the true cost, and keeps the answer that was paid for, so that nobody pays for it again.
   *
   * @param paid.micro - What the case and its group are charged.
   * @param paid.hourMicro - What the hour is charged. Default: the same. More where a call may have been paid for and
   * nobody knows: that must not use up what one message may cost, and has to be bounded all the same.
   */
  async settle(
    reservation: Reservation,
    paid: {
      readonly micro: number;
      readonly hourMicro?: number;
      readonly answer: { readonly field: string; readonly text: string } | null;
    },
  ): Promise<void> {
    await settleCost.run(this.redis, {
      case: this.keys.ward(`case:${reservation.caseId}`),
      spentInHour: this.hourKey(reservation.hour),
      group: this.groupKey(reservation.fingerprint),
      spentByTenant: this.tenantKey(reservation.hour, reservation.tenant),
      more: paid.micro - reservation.micro,
      moreInHour: (paid.hourMicro ?? paid.micro) - reservation.micro,
      answerField: paid.answer?.field ?? null,
      answer: paid.answer?.text ?? "",
    });
  }

  /** Spent or reserved in the current hour, in micro-USD. */
  async spentThisHour(): Promise<number> {
    return Number((await this.redis.get(this.hourKey(Math.floor(now() / HOUR_MS)))) ?? 0);
  }

  /** Micro-USD spent or reserved in each of the last hours, oldest first, the current one last. */
  async lastHours(): Promise<number[]> {
    const hour = Math.floor(now() / HOUR_MS);
    const keys = Array.from({ length: COST_HOURS }, (_, i) => this.hourKey(hour - COST_HOURS + 1 + i));
    return (await this.redis.mget(...keys)).map((text) => Number(text ?? 0));
  }

  /** What the limit of this hour held back; null where it held back nothing yet. */
  async heldThisHour(): Promise<HeldByLimit | null> {
    const hour = Math.floor(now() / HOUR_MS);
    const fields = await this.redis.hgetall(this.heldKey(hour));
    if (fields["since_ms"] === undefined) return null;
    return {
      since_ms: Number(fields["since_ms"]),
      until_ms: (hour + 1) * HOUR_MS,
      limit_micro: Number(fields["limit_micro"] ?? 0),
      refusals: Number(fields["refusals"] ?? 0),
    };
  }

  private heldKey(hour: number): string {
    return this.keys.ward(`cost-held:${hour}`);
  }

  private tenantKey(hour: number, tenant: string): string {
    return this.keys.ward(`cost-of:${hour}:${tenant}`);
  }

  private groupKey(fingerprint: string): string {
    return this.keys.ward(`group:${fingerprint}`);
  }

  private hourKey(hour: number): string {
    return this.keys.ward(`cost:${hour}`);
  }
}
