import type { Accepted, AccountLimit, RunAccount } from "#shared/store/runs";
import { QuotaExceededError } from "../errors.ts";

const MICRO = 1_000_000;

/** What each limit is called where keys are made, and when there may be room again. */
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
