import { createHash } from "node:crypto";
import { now } from "#shared/clock";
import { KeyExpiredError } from "#shared/http";
import { NotFoundError } from "#shared/store";
import { ENDED_STATUSES } from "#shared/store/runs";
import type { PushLease, RunRecord } from "#shared/store/runs";
import type { Gateway } from "../gateway.ts";
import { postPush } from "./post-push.ts";
import { PUSH_FORMS } from "./push-forms.ts";
import { readTarget } from "./push-target.ts";
import type { PushTarget } from "./push-target.ts";

const RUNS_PER_BATCH = 50;
/** Pause before a run is looked at again whose key or tenant has its share of the calls under way, in ms. */
const BUSY_MS = 1000;
/** Longer than one look at the targets of one run can take, in ms. */
const LEASE_MS = 180_000;
/** Pause between two looks at a run, in ms: short while it is young, longer the longer it lasts. */
const LOOK_MS = { min: 1000, max: 60_000, shareOfAge: 0.1 } as const;
/** Tries of one address in a row, some 40 minutes in all; then it is given up. */
const FAILURES_MAX = 12;
const RETRY_MS_MAX = 600_000;

/**
 * Tells the addresses of tasks how those go on. At least once: after a crash between the post and its record it comes
 * again, with the same `webhook-id`. Safe in several gateways.
 *
 * Returns when every run that was due is begun or put off; it does not wait for addresses, which may be slow.
 */
export async function sendPushes(gateway: Gateway): Promise<void> {
  for (;;) {
    const leases = await gateway.store.pushTargets.take(RUNS_PER_BATCH, LEASE_MS);
    await Promise.all(leases.map((lease) => begin(gateway, lease)));
    if (leases.length < RUNS_PER_BATCH || gateway.stopping.aborted) return;
  }
}

/** Begins to serve a leased run, or puts it off where its key or tenant has its share of the calls under way. */
async function begin(gateway: Gateway, lease: PushLease): Promise<void> {
  const { store, pushes, stopping, logger } = gateway;
  // An end that a failover could take back is told later.
  const run = await store.runs.findConfirmed(lease.runId).catch(() => "unconfirmed" as const);
  if (run === "unconfirmed") return store.pushTargets.settle(lease, BUSY_MS);
  if (run === null) return store.pushTargets.settle(lease, null);
  const leave = pushes.enter({ name: run.submitted_by ?? "", tenant: run.tenant });
  if (leave === null) return store.pushTargets.settle(lease, BUSY_MS);
  serve(gateway, run)
    .then((againInMs) => store.pushTargets.settle(lease, againInMs))
    .catch((error: unknown) => {
      if (!stopping.aborted) logger.warn({ err: error }, "a run's addresses were not told and will be again");
    })
    .finally(leave);
}

/** @returns in how many ms the run is to be looked at again; null: no more. */
async function serve(gateway: Gateway, run: RunRecord): Promise<number | null> {
  const found = await gateway.store.pushTargets.list(run.run_id);
  if (found.size === 0) return null;
  const served = await Promise.all([...found].map(([id, text]) => tell(gateway, run, { id, text })));
  const retries = served.filter((failures) => failures > 0);
  if (retries.length > 0) return Math.min(RETRY_MS_MAX, LOOK_MS.min * 2 ** Math.max(...retries));
  // Read before the posts: of a run that had ended by then everything is told.
  if (ENDED_STATUSES.includes(run.status)) return null;
  const lookMs = (now() - run.created_ms) * LOOK_MS.shareOfAge;
  return Math.min(LOOK_MS.max, Math.max(LOOK_MS.min, lookMs));
}

/** @returns how often the address has not taken what it is told now; 0: it has, or it is given up. */
async function tell(
  gateway: Gateway,
  run: RunRecord,
  { id, text }: { readonly id: string; readonly text: string },
): Promise<number> {
  const { pushTargets } = gateway.store;
  const target = readTarget(text);
  if (target === undefined || target.failures >= FAILURES_MAX) return 0;
  if (target.told === run.status || !PUSH_FORMS[target.form].tells(run.status)) return 0;
  const isTaken = await post(gateway, run, { id, target });
  const failures = isTaken ? 0 : target.failures + 1;
  const after: PushTarget = { ...target, failures, told: isTaken ? run.status : target.told };
  await pushTargets.set(run.run_id, { id, target: JSON.stringify(after) }, text);
  if (failures >= FAILURES_MAX)
    gateway.logger.warn({ run_id: run.run_id }, "an address takes no push notifications and is given up");
  return failures >= FAILURES_MAX ? 0 : failures;
}

/**
 * Posts a run as the key that asked for it sees it now. Nothing is posted for a key that is revoked or has expired.
 * That counts as a failed try, because another gateway may know a key that was configured just now.
 */
async function post(
  gateway: Gateway,
  { run_id, status }: RunRecord,
  { id, target }: { readonly id: string; readonly target: PushTarget },
): Promise<boolean> {
  try {
    const holder = gateway.keys.withDigest(target.key);
    if (holder === null) return false;
    const pushId = createHash("sha256").update(`${run_id} ${id} ${status}`).digest("hex").slice(0, 32);
    const content = await PUSH_FORMS[target.form].write(gateway, {
      caller: holder,
      runId: run_id,
      id: pushId,
    });
    const { pushHosts: allowed, stopping: signal } = gateway;
    return await postPush(target, { id: pushId, content, allowed, signal });
  } catch (error) {
    if (error instanceof NotFoundError) return true;
    if (error instanceof KeyExpiredError) return false;
    throw error;
  }
}
