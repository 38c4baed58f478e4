import type { IncomingHttpHeaders } from "node:http";
import { TENANT_DEFAULT } from "#shared/config";
import { crashPoint } from "#shared/crash-points";
import { agentNameOf, createFirst } from "#shared/envelope";
import type { Envelope, FirstDraft } from "#shared/envelope";
import { JsonBoundError } from "#shared/envelope/json";
import { TTL_MS_MAX } from "#shared/envelope/limits";
import { seal } from "#shared/envelope/seals";
import { RequestInvalidError } from "#shared/http";
import { isRedisReply, NotReplicatedError } from "#shared/store";
import type { Store } from "#shared/store";
import type { Accepted, RunAccount, RunRecord } from "#shared/store/runs";
import { newRunId, shardOf, taskKey } from "#shared/store/shards";
import { parseTraceparent } from "#shared/telemetry";
import {
  AcceptanceUnconfirmedError,
  AcceptanceUnknownError,
  FullError,
  IdempotencyConflictError,
  IntakeClosedError,
  QueueDamagedError,
  StoreFullError,
  UnavailableError,
} from "../errors.ts";
import { GATEWAY_ID } from "../gateway.ts";
import type { Gateway, GatewayCall } from "../gateway.ts";
import { accountsOf, fairPriority, overQuota } from "../tenancy/accounts.ts";
import type { Caller } from "../tenancy/may-see.ts";
import { findRun } from "../tenancy/see-run.ts";
import { describeAll } from "./judge-readiness.ts";

/** A call that starts a run: whose key asks for it and counts it, and the trace that it goes on with. */
export interface StartingCall extends Pick<GatewayCall, "gateway" | "caller" | "traceparent"> {
  readonly request: { readonly headers: IncomingHttpHeaders };
}

/** A run to be: its first message, and what a repeat of the request is known by. */
export interface RunDraft {
  readonly team: string;
  /** Owner of the run. Default: the caller's tenant. */
  readonly tenant?: string;
  readonly first: Omit<FirstDraft, "from" | "runId" | "traceparent" | "tracestate" | "submittedBy">;
  /** Fields of `meta` beyond those of the schema, kept along the run. Default: none. */
  readonly note?: Readonly<Record<string, string | readonly string[]>>;
  /** The webhook that is told of its end, as JSON text. Default: none. */
  readonly webhook?: string;
  /** Place of the payload in the request, as a JSON pointer. */
  readonly payloadAt: string;
  /** Null: the client gave no key. */
  readonly idempotency: { readonly caller: string; readonly key: string; readonly digest: string } | null;
}

/** A run to be with its owner, and whose key asks for it. */
type OwnedDraft = Omit<RunDraft, "first"> & {
  readonly tenant: string;
  readonly caller: Caller;
  readonly first: Omit<FirstDraft, "from" | "runId" | "submittedBy">;
};

export interface StartedRun {
  readonly run_id: string;
  readonly trace_id: string;
  readonly message_id: string;
}

/**
 * Seals the first message and has Redis accept the run: when this returns, nothing can lose it any more.
 * @throws {FullError | StoreFullError | QuotaExceededError} Too much waits. {UnavailableError} Redis was not asked.
 * @throws {AcceptanceUnknownError} Redis did not answer. {AcceptanceUnconfirmedError} Its replicas did not.
 * @throws {QueueDamagedError} A wrong-typed key. {IdempotencyConflictError} Another request's key.
 * @throws {RequestInvalidError} The payload cannot travel.
 */
export async function startRun(
  { gateway, caller, request, traceparent }: StartingCall,
  draft: RunDraft,
): Promise<StartedRun> {
  const { store, placement, stopping } = gateway;
  if (stopping.aborted || store.redis.status !== "ready") throw new UnavailableError();
  await refuseWhenFull(gateway);
  const key = draft.idempotency === null ? null : taskKey(draft.idempotency);
  const prioritised = await prioritise(gateway, {
    ...draft,
    caller,
    tenant: draft.tenant ?? caller?.tenant ?? TENANT_DEFAULT,
    first: { ...draft.first, traceparent, tracestate: tracestateOf(request) },
  });
  const earlier = key === null ? null : await findEarlier(gateway, key);
  if (earlier !== null) {
    if (earlier.digest !== draft.idempotency?.digest) throw new IdempotencyConflictError(earlier.runId);
    return describeRepeated(gateway, earlier.runId);
  }
  // A run that a restore of Redis has lost starts again under its id, so that its effects are known.
  const lost = key === null ? null : await store.restores.lostRun(key);
  const shards = placement.choose(key);
  for (const shard of shards.slice(0, -1)) {
    const offered = await offer(gateway, prioritised, { shard, lost });
    // Each shard has its share of every limit; another may have room.
    if (offered.accepted.kind !== "full" && offered.accepted.kind !== "over") return answer(gateway, offered);
  }
  const last = shards.at(-1);
  if (last === undefined) throw new UnavailableError();
  return answer(gateway, await offer(gateway, prioritised, { shard: last, lost }));
}

const TRACESTATE = /^[\x20-\x7e]{0,512}$/;

/** The caller's `tracestate`, which only goes with a `traceparent`; "" where there is none that can be kept. */
function tracestateOf({ headers }: StartingCall["request"]): string {
  const { tracestate, traceparent } = headers;
  return typeof tracestate === "string" && traceparent !== undefined && TRACESTATE.test(tracestate)
    ? tracestate
    : "";
}

interface Offered {
  readonly accepted: Accepted;
  readonly envelope: Envelope;
  readonly accounts: readonly RunAccount[];
}

/** Seals the first message of a run in this shard, and has it accepted there. */
async function offer(
  gateway: Gateway,
  draft: OwnedDraft,
  { shard, lost }: { readonly shard: Store; readonly lost: string | null },
): Promise<Offered> {
  const { queueLimit, placement, logger } = gateway;
  const { idempotency } = draft;
  const accounts = accountsOf(gateway, draft);
  const { envelope, message } = sealFirst(
    gateway,
    draft,
    lost !== null && shardOf(lost) === shard.keys.shard ? lost : newRunId(shard.keys.shard),
  );
  const { run_id: runId, trace_id, message_id: jobId } = envelope.meta;
  const agent = agentNameOf(draft.first.to);
  const { priority } = envelope.task_context;
  const share = (limit: number): number => Math.ceil(limit / placement.count);
  try {
    const accepted = await shard.runs.accept({
      runId,
      traceId: parseTraceparent(draft.first.traceparent)?.traceId ?? trace_id,
      team: draft.team,
      send: { lane: "fresh", agent, jobId, data: { ...message }, delayMs: 0, priority },
      expiresMs: expiryOf(envelope),
      ...(draft.webhook === undefined ? {} : { webhook: draft.webhook }),
      idempotency: idempotency === null ? null : { key: taskKey(idempotency), digest: idempotency.digest },
      idempotencyLifeMs: idempotencyKeyLifeMs(shard.options.retentionMs, envelope),
      waitingMax: share(queueLimit),
      owner: {
        tenant: draft.tenant,
        submittedBy: draft.caller?.name,
        accounts: accounts.map((account) => shareOf(account, share)),
      },
    });
    crashPoint("W1:accept_reply_lost");
    return { accepted, envelope, accounts };
  } catch (error) {
    logger.warn({ err: error, run_id: runId }, "it is unknown whether a run was accepted");
    throw await explainRefusal(gateway, { shard, agent }, error);
  }
}

async function answer(gateway: Gateway, { accepted, envelope, accounts }: Offered): Promise<StartedRun> {
  const { run_id, trace_id, message_id } = envelope.meta;
  switch (accepted.kind) {
    case "full":
      throw new FullError("queues");
    case "over":
      throw overQuota(accepted, accounts);
    case "conflict":
      throw new IdempotencyConflictError(accepted.runId);
    case "repeated":
      return describeRepeated(gateway, accepted.runId);
    case "accepted":
      crashPoint("W0:after_accept_before_reply");
      return { run_id, trace_id, message_id };
  }
}

/** Returns the run that a key was accepted for before shards were added, where its place was another one. */
async function findEarlier({ store, placement }: Gateway, key: string) {
  for (const shard of placement.before(key, Math.max(store.options.retentionMs, TTL_MS_MAX))) {
    const found = await shard.runs.findAccepted(key).catch(() => {
      throw new UnavailableError();
    });
    if (found !== null) return found;
  }
  return null;
}

async function prioritise(gateway: Gateway, draft: OwnedDraft): Promise<OwnedDraft> {
  const asked = draft.first.task?.priority;
  const priority = await fairPriority(gateway, draft.tenant, asked);
  if (priority === undefined || priority === asked) return draft;
  return { ...draft, first: { ...draft.first, task: { ...draft.first.task, priority } } };
}

function sealFirst(gateway: Gateway, draft: OwnedDraft, runId: string) {
  const { taskLifeMs } = gateway.store.options;
  const life = draft.first.ttlMs === undefined && taskLifeMs !== undefined ? { ttlMs: taskLifeMs } : {};
  const first = createFirst({
    ...draft.first,
    ...life,
    submittedBy: draft.caller?.name ?? "",
    from: GATEWAY_ID,
    runId,
  });
  const envelope: Envelope =
    draft.note === undefined ? first : { ...first, meta: { ...draft.note, ...first.meta } };
  const queue = agentNameOf(envelope.meta.target_agent);
  try {
    const key = gateway.keyring.signing(agentNameOf(GATEWAY_ID), queue);
    return { envelope, message: seal({ envelope, queue, key }).message };
  } catch (error) {
    if (error instanceof JsonBoundError) throw asRequestFault(error, draft.payloadAt);
    throw error;
  }
}

/** The sender knows the payload by its place in the request, not in the envelope. */
function asRequestFault(error: JsonBoundError, payloadAt: string): RequestInvalidError {
  return new RequestInvalidError(
    error.issues.map((issue) => ({ ...issue, path: issue.path.replace(/^\/data_payload/, payloadAt) })),
  );
}

async function refuseWhenFull(gateway: Gateway): Promise<void> {
  const ask = (isFull: () => Promise<boolean>): Promise<boolean> =>
    isFull().catch(() => {
      throw new UnavailableError();
    });
  if (gateway.intake.isClosed) throw new IntakeClosedError();
  if (await ask(gateway.storeIsFull)) throw new StoreFullError();
  if (await ask(gateway.wardIsFull)) throw new FullError("ward");
}

/** A shard's share of an account's limits. */
function shareOf(account: RunAccount, share: (limit: number) => number): RunAccount {
  const of = (limit: number | null | undefined) => (typeof limit === "number" ? share(limit) : null);
  return {
    ...account,
    openMax: of(account.openMax),
    waitingMax: of(account.waitingMax),
    dayMicroMax: of(account.dayMicroMax),
  };
}

function expiryOf({ meta }: Envelope): number | null {
  return meta.expires_at === null ? null : Date.parse(meta.expires_at);
}

/** Life of an idempotency key after acceptance, in ms: the retention, and at least as long as the task may wait. */
function idempotencyKeyLifeMs(retentionMs: number, first: Envelope): number {
  const expiresMs = expiryOf(first);
  const taskLifeMs = expiresMs === null ? TTL_MS_MAX : expiresMs - Date.parse(first.meta.timestamp);
  return Math.max(retentionMs, taskLifeMs);
}

/** A refusal by Redis itself may have a cause that an operator can mend. */
async function explainRefusal(
  gateway: Gateway,
  { shard, agent }: { readonly shard: Store; readonly agent: string },
  error: unknown,
): Promise<Error> {
  if (error instanceof NotReplicatedError) return new AcceptanceUnconfirmedError();
  if (!isRedisReply(error)) return new AcceptanceUnknownError();
  const damage = await shard.queues.findDamage(agent).catch(() => []);
  if (damage.length === 0) return new AcceptanceUnknownError();
  gateway.logger.error({ damage, agent }, "a queue is damaged");
  return new QueueDamagedError(describeAll(damage));
}

async function describeRepeated(gateway: Gateway, runId: string): Promise<StartedRun> {
  const [record, [submitted]] = await Promise.all([
    gateway.store.runs.find(runId),
    gateway.store.runs.events(runId, { from: 0, limit: 1 }),
  ]);
  // The record of an ended run may be gone a moment before its key is; the ids are still true.
  return { run_id: runId, trace_id: record?.trace_id ?? "", message_id: submitted?.message_id ?? "" };
}

/** Cancels a run, and returns it as it is then; one that has ended stays as it is. @throws {NotFoundError} */
export async function endRun(gateway: Gateway, caller: Caller, runId: string): Promise<RunRecord> {
  const { store } = gateway;
  await findRun(gateway, caller, runId);
  return store.runs.cancel({
    runId,
    by: caller?.name ?? "",
    markLifeMs: Math.max(store.options.retentionMs, TTL_MS_MAX),
  });
}
