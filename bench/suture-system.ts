import { createFirst } from "#shared/envelope";
import { createMaster, issueKeyring, Keyring } from "#shared/envelope/keys";
import { seal } from "#shared/envelope/seals";
import { RETRY_POLICY_DEFAULT } from "#shared/failure";
import { createModelClient } from "#shared/model";
import { edgesOf, RUNTIME_LIMITS_DEFAULT } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import { Store } from "#shared/store";
import type { StoreOptions } from "#shared/store";
import { newRunId } from "#shared/store/shards";
import { newTraceparent } from "#shared/telemetry";

export const HOUR_MS = 3_600_000;
const WAITING_MAX = 1_000_000;

/** Opens the store of a system under measurement. */
export function openBenchStore(options: Pick<StoreOptions, "url" | "prefix"> & Partial<StoreOptions>): Store {
  return new Store({
    role: "worker",
    retentionMs: HOUR_MS,
    ledgerLifeMs: HOUR_MS,
    onError: (error) => console.error(error),
    ...options,
  });
}

/** Issues the keys of a team's agents and of the named services, in one keyring. */
export function createTeamKeyring(team: Team, services: readonly string[]): Keyring {
  const master = createMaster();
  const edges = edgesOf([team]);
  return Keyring.merge(
    [...team.agents.keys(), ...services].map((agent) => issueKeyring({ master, agent, edges })),
  );
}

/** Returns a model client that no endpoint answers (port 9), for systems that must not call a model. */
export function createAbsentModel() {
  return createModelClient({
    baseUrl: "http://127.0.0.1:9/v1",
    apiKey: "none",
    models: { router: "none", worker: "none", surgeon: "none" },
    timeoutMs: 1000,
    isRehearsal: false,
  });
}

/** The settings of agents where a process of agents has its defaults. */
export const AGENT_DEFAULTS = {
  limits: { ...RUNTIME_LIMITS_DEFAULT, retry: RETRY_POLICY_DEFAULT },
  lockMs: 30_000,
  stalledIntervalMs: 5000,
} as const;

export interface Submission {
  readonly payload: unknown;
  readonly priority?: "normal" | "high";
  /** Null: the message never expires. Default: the default lifetime. */
  readonly ttlMs?: number | null;
  readonly idempotencyKey?: string;
  /** Number of the run's shard. Default 0. */
  readonly shard?: number;
  /** Lifetime of the idempotency key. Default: one hour. */
  readonly lifeMs?: number;
  /** Called with the run's id before the run is accepted. */
  readonly onRunId?: (runId: string) => void;
}

/** Accepts a run as the gateway does once it has read a request, and returns the run's id. */
export async function submitRun(
  { store, keyring, team }: { readonly store: Store; readonly keyring: Keyring; readonly team: Team },
  { payload, priority = "normal", ttlMs, idempotencyKey, lifeMs = HOUR_MS, onRunId, shard = 0 }: Submission,
): Promise<string> {
  const { entry } = team;
  const envelope = createFirst({
    to: entry.id,
    contract: entry.accepts.id,
    payload,
    runId: newRunId(shard),
    traceparent: newTraceparent(),
    task: { priority },
    ...(ttlMs === undefined ? {} : { ttlMs }),
  });
  const { run_id: runId, trace_id: traceId, message_id: jobId } = envelope.meta;
  onRunId?.(runId);
  const { message } = seal({ envelope, queue: entry.name, key: keyring.signing("gateway", entry.name) });
  const accepted = await store.runs.accept({
    runId,
    traceId,
    team: team.name,
    send: { lane: "fresh", agent: entry.name, jobId, data: { ...message }, delayMs: 0, priority },
    idempotency: idempotencyKey === undefined ? null : { key: idempotencyKey, digest: runId },
    idempotencyLifeMs: lifeMs,
    waitingMax: WAITING_MAX,
  });
  if (accepted.kind !== "accepted") throw new Error(`the run was not accepted: ${accepted.kind}`);
  return runId;
}
