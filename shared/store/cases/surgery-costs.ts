import { now } from "#shared/clock";
import { reserveCost, settleCost } from "../scripts/cases.ts";
import { StorePart, sum } from "../store-part.ts";

const HOUR_MS = 3_600_000;

/** Hours of spending that are kept, including the current one. */
export const COST_HOURS = 24;

/** Spending limits in micro-USD; integers, so that sums are exact. */
export interface SurgeryLimits {
  readonly caseMicroMax: number;
  readonly hourMicroMax: number;
  /** Share of the hourly limit that one tenant may use. */
  readonly tenantMicroMax: number;
  readonly groupMicroMax: number;
}

/** Calls refused by the limit of the current hour. Epoch milliseconds. */
export interface HeldByLimit {
  readonly since_ms: number;
  /** Start of the next hour. */
  readonly until_ms: number;
  /** The limit that was reached, in micro-USD. */
  readonly limit_micro: number;
  /** Model calls that it postponed. A case that asks twice counts twice. */
  readonly refusals: number;
}

/** Money reserved for one model call. */
export interface Reservation {
  readonly caseId: string;
  readonly fingerprint: string;
  readonly tenant: string;
  readonly micro: number;
  readonly hour: number;
}

export type Reserved =
  | { readonly kind: "reserved"; readonly reservation: Reservation }
  /** The case has used up its limit; it needs a person. */
  | { readonly kind: "case" }
  /** The group has used up its limit. */
  | { readonly kind: "group" }
  /** The hourly limit, or the tenant's share, is used up; `retryAfterMs` until the next hour. */
  | { readonly kind: "hour"; readonly retryAfterMs: number };

/**
 * Budget of surgery, shared by all surgeons: reserved in a case's shard before a call and settled after it, read over
 * all shards. A surgeon that crashes between leaves its reservation, so limits err on the low side.
 */
export class SurgeryCosts extends StorePart {
  async reserve(request: {
    readonly caseId: string;
    readonly fingerprint: string;
    /** Tenant of the message's run. */
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
      heldBack: this.keys.ward(`cost-held:${hour}`),
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
   * Replaces a reservation by the true cost, and stores the paid answer, so that it is not paid for again.
   * @param paid.micro - Charged to the case and its group.
   * @param paid.hourMicro - Charged to the hour. Default: the same. Higher where it is unknown whether a call was
   * billed: such a call must not use up the limit of one message, but is bounded all the same.
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

  /** Returns micro-USD spent or reserved in the current hour. */
  async spentThisHour(): Promise<number> {
    return (await this.lastHours()).at(-1) ?? 0;
  }

  /** Returns micro-USD spent or reserved in each of the last hours, oldest first, the current one last. */
  async lastHours(): Promise<number[]> {
    const hour = Math.floor(now() / HOUR_MS);
    const hours = Array.from({ length: COST_HOURS }, (_, i) => hour - COST_HOURS + 1 + i);
    const each = await this.fromEach(({ redis, keys }) =>
      redis.mget(...hours.map((one) => keys.ward(`cost:${one}`))),
    );
    return hours.map((_, i) => sum(each.map((texts) => Number(texts[i] ?? 0))));
  }

  /** Returns the calls refused by the limit of this hour; null if none was. */
  async heldThisHour(): Promise<HeldByLimit | null> {
    const hour = Math.floor(now() / HOUR_MS);
    const each = await this.fromEach(({ redis, keys }) => redis.hgetall(keys.ward(`cost-held:${hour}`)));
    const held = each.filter(({ since_ms }) => since_ms !== undefined);
    const [first] = held;
    if (first === undefined) return null;
    return {
      since_ms: Math.min(...held.map(({ since_ms }) => Number(since_ms))),
      until_ms: (hour + 1) * HOUR_MS,
      // Each shard has its share.
      limit_micro: Number(first["limit_micro"] ?? 0) * this.store.shards.length,
      refusals: sum(held.map(({ refusals }) => Number(refusals ?? 0))),
    };
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
