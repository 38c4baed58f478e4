import type { KeyHolder } from "#shared/config";
import type { RunAccount } from "#shared/store/runs";
import { UnavailableError } from "../errors.ts";
import type { Gateway } from "../gateway.ts";
import type { Caller } from "./may-see.ts";

const MICRO = 1_000_000;

/** Below so many open runs nobody waits for anybody, and the order is as it comes. */
const CONGESTED_AT = 20;

export type Priority = "high" | "normal" | "low";

/** What a new run counts for: its tenant where there are several, and the key where it has quotas for runs. */
export function accountsOf(
  { keys, queueLimit, tenantShare }: Gateway,
  { tenant, caller }: { readonly tenant: string; readonly caller: Caller },
): RunAccount[] {
  const openMax = Math.max(1, Math.floor(queueLimit * tenantShare));
  return [
    ...(keys.isShared ? [{ name: tenantAccount(tenant), openMax, waitingMax: null, dayMicroMax: null }] : []),
    ...(caller === null ? [] : accountOfKey(caller)),
  ];
}

/** Without spaces, as accounts are kept. */
export function tenantAccount(tenant: string): string {
  return `tenant:${tenant}`;
}

function accountOfKey({ name, quotas }: KeyHolder): RunAccount[] {
  const { running_runs, waiting_runs, cost_per_day } = quotas;
  if (running_runs === undefined && waiting_runs === undefined && cost_per_day === undefined) return [];
  return [
    {
      name: `key:${name}`,
      openMax: running_runs ?? null,
      waitingMax: waiting_runs ?? null,
      dayMicroMax: cost_per_day === undefined ? null : Math.round(cost_per_day * MICRO),
    },
  ];
}

/**
 * The priority of a new run. While several tenants have runs under way and these are many, a tenant that has fewer than
 * its equal part goes before those that wait, at every agent, and one that has more jumps no queue, whatever it asks.
 *
 * @throws {UnavailableError} Redis did not answer.
 */
export async function fairPriority(
  gateway: Gateway,
  tenant: string,
  asked: Priority | undefined,
): Promise<Priority | undefined> {
  if (!gateway.keys.isShared) return asked;
  const [open, own] = await Promise.all([
    gateway.openByTenant(),
    gateway.store.owners.open(tenantAccount(tenant)),
  ]).catch(() => {
    throw new UnavailableError();
  });
  const others = [...open].filter(([name, count]) => name !== tenant && count > 0);
  const total = others.reduce((sum, [, count]) => sum + count, own);
  if (others.length === 0 || total < CONGESTED_AT) return asked;
  if (own * (others.length + 1) < total) return asked === "low" ? "low" : "high";
  return asked === "high" ? "normal" : asked;
}
