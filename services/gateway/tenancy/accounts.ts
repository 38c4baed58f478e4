import type { KeyHolder } from "#shared/config";
import type { Accepted, AccountLimit, RunAccount } from "#shared/store/runs";
import { QuotaExceededError, UnavailableError } from "../errors.ts";
import type { Gateway } from "../gateway.ts";
import type { Caller } from "./may-see.ts";

const MICRO = 1_000_000;

/** Below so many open runs nobody waits for anybody, and the order is as it comes. */
const CONGESTED_AT = 20;

export type Priority = "high" | "normal" | "low";

/** Returns the accounts of a new run: its tenant where there are several, and the key if it has quotas for runs. */
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

/** In a crowd a tenant below its equal part goes first; one above jumps no queue. @throws {UnavailableError} */
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

/** Name of each limit where keys are made, and the time until there may be room again. */
const QUOTAS: Readonly<
  Record<AccountLimit, { quota: string; retryAfterMs: number; describe: (account: RunAccount) => string }>
> = {
  open: {
    quota: "running_runs",
    retryAfterMs: 10_000,
    describe: ({ openMax }) => `${openMax} runs that have not ended`,
  },
  waiting: {
    quota: "waiting_runs",
    retryAfterMs: 5000,
    describe: ({ waitingMax }) => `${waitingMax} runs that no agent has begun`,
  },
  day: {
    quota: "cost_per_day",
    retryAfterMs: 600_000,
    describe: ({ dayMicroMax }) => `${(dayMicroMax ?? 0) / MICRO} USD a day`,
  },
};

/** Says whose limit it was that a run would have passed. */
export function overQuota(
  { account: name, limit }: Extract<Accepted, { readonly kind: "over" }>,
  accounts: readonly RunAccount[],
): QuotaExceededError {
  const { quota, retryAfterMs, describe } = QUOTAS[limit];
  const account = accounts.find((one) => one.name === name);
  const over = account === undefined ? "its limit" : describe(account);
  if (name.startsWith("tenant:"))
    return new QuotaExceededError({ whose: "tenant", quota: "tenant_share", over, retryAfterMs });
  return new QuotaExceededError({ whose: "key", quota, over, retryAfterMs });
}
