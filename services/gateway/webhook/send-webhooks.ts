import { createHash } from "node:crypto";
import { request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { viewRun } from "#shared/api/run-views";
import { now, timestamp } from "#shared/clock";
import { Secret } from "#shared/config";
import { signWebhook } from "#shared/feedback";
import {
  CLOUD_EVENT_TYPE,
  KeyExpiredError,
  lookupOutside,
  refusalOfAddress,
  sourceOfRun,
  toCloudEvent,
  digestOfKey,
  RequestInvalidError,
  UnauthorisedError,
} from "#shared/http";
import { readJson } from "#shared/json";
import { NotFoundError } from "#shared/store";
import type { Store } from "#shared/store";
import { ENDED_STATUSES } from "#shared/store/runs";
import type { RunRecord } from "#shared/store/runs";
import type { Gateway, Handler } from "../gateway.ts";
import type { Caller } from "../tenancy/may-see.ts";
import { eventsOf, findRun } from "../tenancy/see-run.ts";

const RUNS_PER_BATCH = 50;
/** Pause before a run is looked at again whose key or tenant has its share of the calls under way, in ms. */
const BUSY_MS = 1000;
/** Longer than one try can take, in ms. */
const LEASE_MS = 60_000;
/** Pause between two looks at a run, in ms: short while it is young, longer the longer it lasts. */
const LOOK_MS = { min: 1000, max: 60_000, shareOfAge: 0.1 } as const;
/** Tries of one webhook, some 40 minutes in all; then it is given up. */
const FAILURES_MAX = 12;
const RETRY_MS_MAX = 600_000;
const TIMEOUT_MS = 10_000;

/**
 * Posts ended runs to their tasks' own webhooks, at least once, with the same `webhook-id`. Safe in several gateways.
 * Returns when every due run is begun or put off; does not wait for slow addresses.
 */
export async function sendWebhooks(gateway: Gateway): Promise<void> {
  await Promise.all(gateway.store.shards.map((shard) => sendOf(gateway, shard)));
}

async function sendOf(gateway: Gateway, { webhooks }: Store): Promise<void> {
  for (;;) {
    const runIds = await webhooks.takeDue(RUNS_PER_BATCH, LEASE_MS);
    await Promise.all(runIds.map((runId) => begin(gateway, runId)));
    if (runIds.length < RUNS_PER_BATCH || gateway.stopping.aborted) return;
  }
}

/** Begins to serve a leased run, or puts it off where its key or tenant has its share of the calls under way. */
async function begin(gateway: Gateway, runId: string): Promise<void> {
  const { pushes, stopping, logger } = gateway;
  const store = gateway.store.ofRun(runId);
  // An end that a failover could take back is told later.
  const run = await store.runs.findConfirmed(runId).catch(() => "unconfirmed" as const);
  if (run === "unconfirmed") return store.webhooks.putOff(runId, BUSY_MS);
  if (run === null) return store.webhooks.putOff(runId, null);
  const leave = pushes.enter({ name: run.submitted_by ?? "", tenant: run.tenant });
  if (leave === null) return store.webhooks.putOff(runId, BUSY_MS);
  serve(gateway, run)
    .then((againInMs) => store.webhooks.putOff(runId, againInMs))
    .catch((error: unknown) => {
      if (!stopping.aborted) logger.warn({ err: error }, "a task's webhook was not told and will be again");
    })
    .finally(leave);
}

/** @returns in how many ms the run is to be looked at again; null: no more. */
async function serve(gateway: Gateway, run: RunRecord): Promise<number | null> {
  if (!ENDED_STATUSES.includes(run.status)) {
    const lookMs = (now() - run.created_ms) * LOOK_MS.shareOfAge;
    return Math.min(LOOK_MS.max, Math.max(LOOK_MS.min, lookMs));
  }
  const { webhooks } = gateway.store.ofRun(run.run_id);
  const text = await webhooks.find(run.run_id);
  const webhook = text === null ? undefined : readWebhook(text);
  if (text === null || webhook === undefined || webhook.told === run.status) return null;
  const isTaken = await postRun(gateway, run, webhook);
  const failures = isTaken ? 0 : webhook.failures + 1;
  const after: TaskWebhook = { ...webhook, failures, told: isTaken ? run.status : webhook.told };
  await webhooks.replace(run.run_id, { from: text, to: JSON.stringify(after) });
  if (isTaken) return null;
  if (failures < FAILURES_MAX) return Math.min(RETRY_MS_MAX, LOOK_MS.min * 2 ** failures);
  gateway.logger.warn({ run_id: run.run_id }, "a task's webhook does not answer with 2xx and is given up");
  return null;
}

/**
 * Posts a run as the key that asked for it sees it now. Nothing is posted for a key that is revoked or has expired.
 * That counts as a failed try, because another gateway may know a key that was configured just now.
 */
async function postRun(
  gateway: Gateway,
  { run_id, status }: RunRecord,
  webhook: TaskWebhook,
): Promise<boolean> {
  try {
    const caller = gateway.keys.withDigest(webhook.key);
    if (caller === null) return false;
    const postId = createHash("sha256").update(`${run_id} ${status}`).digest("hex").slice(0, 32);
    return await post(gateway, webhook, {
      id: postId,
      body: await writeEvent(gateway, caller, { run_id, postId }),
    });
  } catch (error) {
    if (error instanceof NotFoundError) return true;
    if (error instanceof KeyExpiredError) return false;
    throw error;
  }
}

/** Returns the run as `GET /v1/runs/{run_id}` shows it, as a CloudEvent. @throws {NotFoundError} */
async function writeEvent(
  gateway: Gateway,
  caller: Caller,
  { run_id, postId }: { readonly run_id: string; readonly postId: string },
): Promise<string> {
  const run = await findRun(gateway, caller, run_id);
  const event = toCloudEvent({
    id: postId,
    source: sourceOfRun(run_id),
    type: "run.ended",
    time: timestamp(run.ended_ms ?? run.created_ms),
    data: viewRun(run, await eventsOf(gateway, caller, run)),
  });
  return JSON.stringify(event);
}

/**
 * Posts to a client's address; follows no redirect, calls no inside address, signs as Standard Webhooks with a token.
 * @param sent.id - The same for every try. @returns true when the address took it.
 */
async function post(
  { pushHosts, stopping }: Gateway,
  { url: address, token }: TaskWebhook,
  { id, body }: { readonly id: string; readonly body: string },
): Promise<boolean> {
  if (refusalOfAddress(address, pushHosts) !== null) return false;
  const url = new URL(address);
  const signed =
    token === ""
      ? { "webhook-id": id }
      : signWebhook({ id, atMs: now(), body, secrets: [new Secret(token)] });
  const send = url.protocol === "https:" ? requestSecure : requestPlain;
  return new Promise((resolve) => {
    const request = send(url, {
      method: "POST",
      headers: { "content-type": CLOUD_EVENT_TYPE, "user-agent": "suture", ...signed },
      signal: AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]),
      ...(pushHosts.has(url.host) ? {} : { lookup: lookupOutside }),
    });
    request.once("response", ({ statusCode = 0 }) => {
      // Its body is not read.
      request.destroy();
      resolve(statusCode >= 200 && statusCode < 300);
    });
    request.once("error", () => resolve(false));
    request.end(body);
  });
}

const webhookSchema = z.object({
  url: z.string(),
  /** Signs what is sent, as Standard Webhooks says; empty: none. */
  token: z.string(),
  /** SHA-256 of the secret of the key that asked for it: what is posted is what that key sees then. */
  key: z.string(),
  /** Status of the run that was posted; null: none. */
  told: z.string().nullable(),
  failures: z.number(),
});

/** A task's own webhook, as the run's record keeps it. */
type TaskWebhook = z.output<typeof webhookSchema>;

/** Returns the webhook that a task asks for, as JSON text. @throws {RequestInvalidError} */
export function toWebhook(
  gateway: Gateway,
  request: FastifyRequest,
  { url, secret = "" }: NonNullable<Parameters<Handler<"submitTask">>[0]["body"]["webhook"]>,
): string {
  const refusal = refusalOfAddress(url, gateway.pushHosts);
  if (refusal !== null)
    throw new RequestInvalidError([{ path: "/webhook/url", code: "not_allowed", message: refusal }]);
  const key = digestOfKey(request.headers.authorization);
  if (key === null) throw new UnauthorisedError();
  return JSON.stringify({ url, token: secret, key, told: null, failures: 0 } satisfies TaskWebhook);
}

/** Undefined for what cannot be read, such as one that a later release wrote. */
function readWebhook(text: string): TaskWebhook | undefined {
  return webhookSchema.safeParse(readJson(text)).data;
}
