import { randomUUID } from "node:crypto";
import { createFirst, createMaster, issueKeyring, Keyring, seal } from "#shared/envelope";
import { RETRY_POLICY_DEFAULT } from "#shared/failure";
import { createModelClient, PRICES_DEFAULT } from "#shared/model";
import { edgesOf, RUNTIME_LIMITS_DEFAULT } from "#shared/runtime";
import { startAgents } from "#shared/runtime/process";
import { Store } from "#shared/store";
import { retireRuns } from "#shared/store/upkeep";
import { createLogger, newTraceparent } from "#shared/telemetry";
import type { Logger } from "#shared/telemetry";
import { findCases } from "#shared/ward";
import { decide } from "#shared/ward/decisions";
import type { DecisionContext } from "#shared/ward/decisions";
import { SURGERY_LIMITS_DEFAULT } from "../../services/surgeon/surgery.ts";
import { startSurgeon } from "../../services/surgeon/start-surgeon.ts";
import { createSoakTeam, moodOf } from "./team.ts";

export interface WorkshopOptions {
  readonly url: string;
  /** Of every Redis key. */
  readonly prefix: string;
  /** How long what ended is kept, in ms; the ledger half as long. */
  readonly retentionMs: number;
  readonly finishedJobsMax: number;
  readonly retireEveryMs: number;
}

/** Agents, a surgeon and a person in one process: everything that grows, at work. */
export interface Workshop {
  readonly store: Store;
  /** Accepts run number `n` as the gateway does, an idempotency key included. */
  submit(n: number): Promise<void>;
  /** What a gateway and an operator do again and again: forgets aged runs, discards what waits for a person. */
  attend(): Promise<void>;
  close(): Promise<void>;
}

const TEXT = "A customer writes that the parcel came open and half of it is missing. ".repeat(8);
const CONCURRENCY = 25;
const DISCARDED_AT_ONCE = 200;
const LATE_TTL_MS = 1;

/** Life of the other tasks, in ms. Outcomes are kept until their message expires: a day would hide the plateau. */
const TTL_MS = 20_000;

export async function openWorkshop(options: WorkshopOptions): Promise<Workshop> {
  const team = createSoakTeam();
  const logger = createLogger({ service: "soak", level: "error" });
  const store = openStore(options, logger);
  const keyring = createKeyring(team);
  const model = createModelClient({
    // Port 9 answers nobody: no money is spent, what only a model could heal goes to the person.
    baseUrl: "http://127.0.0.1:9/v1",
    apiKey: "none",
    models: { router: "none", worker: "none", surgeon: "none" },
    timeoutMs: 1000,
    isRehearsal: false,
  });
  const agents = await startAgents({
    teams: [team],
    store,
    keyring,
    model,
    logger,
    limits: { ...RUNTIME_LIMITS_DEFAULT, retry: { ...RETRY_POLICY_DEFAULT, delayMs: 50 } },
    concurrency: CONCURRENCY,
    lockMs: 30_000,
    stalledIntervalMs: 5000,
    retireEveryMs: options.retireEveryMs,
  });
  const surgeon = startSurgeon({
    store,
    keyring,
    teams: [team],
    model,
    prices: PRICES_DEFAULT,
    logger,
    limits: { ...SURGERY_LIMITS_DEFAULT, costPerCase: 0, retentionMs: options.retentionMs },
    upkeepMs: 200,
  });
  return {
    store,
    submit: (n) => submit({ store, keyring, team, retentionMs: options.retentionMs }, n),
    async attend() {
      await retireRuns(store);
      await discardWaiting({ store, keyring });
    },
    async close() {
      await Promise.all([agents.stop(0), surgeon.stop(0)]);
      model.close();
      await store.close();
    },
  };
}

function openStore(options: WorkshopOptions, logger: Logger): Store {
  return new Store({
    url: options.url,
    prefix: options.prefix,
    role: "worker",
    retentionMs: options.retentionMs,
    ledgerLifeMs: options.retentionMs / 2,
    taskLifeMs: TTL_MS,
    bounds: { finishedJobsMax: options.finishedJobsMax },
    onError: (error) => logger.warn({ err: error }, "redis"),
  });
}

function createKeyring(team: ReturnType<typeof createSoakTeam>): Keyring {
  const master = createMaster();
  const edges = edgesOf([team]);
  const agents = [...team.agents.keys(), "gateway", "surgeon", "console"];
  return Keyring.merge(agents.map((agent) => issueKeyring({ master, agent, edges })));
}

async function submit(
  desk: {
    readonly store: Store;
    readonly keyring: Keyring;
    readonly team: ReturnType<typeof createSoakTeam>;
    readonly retentionMs: number;
  },
  n: number,
): Promise<void> {
  const { store, keyring, team } = desk;
  const { entry } = team;
  const mood = moodOf(n);
  const payload = { n: mood === "broken" ? String(n) : n, mood, text: TEXT };
  const envelope = createFirst({
    to: entry.id,
    contract: entry.accepts.id,
    payload,
    traceparent: newTraceparent(),
    ttlMs: mood === "late" ? LATE_TTL_MS : TTL_MS,
  });
  const key = keyring.signing("gateway", entry.name);
  const { message } = seal({ envelope, queue: entry.name, key });
  const runId = envelope.meta.run_id;
  const accepted = await store.runs.accept({
    runId,
    traceId: envelope.meta.trace_id,
    team: team.name,
    send: {
      lane: "fresh",
      agent: entry.name,
      jobId: envelope.meta.message_id,
      data: { ...message },
      delayMs: 0,
      priority: "normal",
    },
    webhook: null,
    idempotency: { key: randomUUID(), digest: runId },
    idempotencyLifeMs: desk.retentionMs,
    waitingMax: 1_000_000,
  });
  if (accepted.kind !== "accepted") throw new Error(`the run was not accepted: ${accepted.kind}`);
  if (!accepted.isDelivered) {
    await store.outbox.deliver(accepted.entry);
    await store.outbox.forgetConfirmed("runs", accepted.entry);
  }
  if (mood === "unwanted") {
    const agents = [...team.agents.keys()];
    await store.runs.cancel({ runId, agents, by: "soak", markLifeMs: desk.retentionMs });
  }
}

async function discardWaiting(desk: DecisionContext): Promise<void> {
  const { cases } = await findCases(desk.store, {
    filter: { status: "quarantined" },
    limit: DISCARDED_AT_ONCE,
  });
  const undecided = cases.filter((one) => one.decision === null);
  await Promise.allSettled(
    undecided.map((one) =>
      decide(desk, { case_id: one.case_id, decision: "discard", by: "soak", why: "It belongs to a soak." }),
    ),
  );
}
