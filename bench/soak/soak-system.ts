import { randomUUID } from "node:crypto";
import { RETRY_POLICY_DEFAULT } from "#shared/failure";
import { PRICES_DEFAULT } from "#shared/model";
import { RUNTIME_LIMITS_DEFAULT } from "#shared/runtime";
import { startAgents } from "#shared/runtime/process";
import { retireRuns } from "#shared/store/upkeep";
import type { Store } from "#shared/store";
import { createLogger } from "#shared/telemetry";
import { decide } from "#shared/ward/decisions";
import { findCases } from "#shared/ward";
import type { DecisionContext } from "#shared/ward/decisions";
import { SURGERY_LIMITS_DEFAULT } from "../../services/surgeon/surgery.ts";
import { startSurgeon } from "../../services/surgeon/start-surgeon.ts";
import {
  AGENT_DEFAULTS,
  createAbsentModel,
  createTeamKeyring,
  openBenchStore,
  submitRun,
} from "../suture-system.ts";
import { createSoakTeam, moodOf } from "./team.ts";

export interface SoakSystemOptions {
  readonly url: string;
  /** Prefix of every Redis key. */
  readonly prefix: string;
  /** Retention of ended runs, in ms; the ledger keeps its records half as long. */
  readonly retentionMs: number;
  readonly finishedJobsMax: number;
  readonly retireEveryMs: number;
}

/** Agents, a surgeon and an operator in one process: everything whose memory can grow. */
export interface SoakSystem {
  readonly store: Store;
  /** Accepts run number `n` as the gateway does, with an idempotency key. */
  submit(n: number): Promise<void>;
  /** Deletes aged runs, as a gateway does, and discards what waits for a person, as an operator does. */
  cleanUp(): Promise<void>;
  close(): Promise<void>;
}

const TEXT = "A customer writes that the parcel came open and half of it is missing. ".repeat(8);
const CONCURRENCY = 25;
const DISCARDED_AT_ONCE = 200;
const LATE_TTL_MS = 1;

/** Lifetime of the other tasks, in ms. Outcomes are kept until their message expires: a day would hide the plateau. */
const TTL_MS = 20_000;

export async function openSoakSystem(options: SoakSystemOptions): Promise<SoakSystem> {
  const { retentionMs } = options;
  const team = createSoakTeam();
  const logger = createLogger({ service: "soak", level: "error" });
  const store = openBenchStore({
    url: options.url,
    prefix: options.prefix,
    retentionMs,
    ledgerLifeMs: retentionMs / 2,
    taskLifeMs: TTL_MS,
    bounds: { finishedJobsMax: options.finishedJobsMax },
    onError: (error) => logger.warn({ err: error }, "redis"),
  });
  const keyring = createTeamKeyring(team, ["gateway", "surgeon", "console"]);
  // No money is spent: what only a model could heal goes to the person.
  const model = createAbsentModel();
  const shared = { teams: [team], store, keyring, model, logger };
  const agents = await startAgents({
    ...shared,
    ...AGENT_DEFAULTS,
    limits: { ...RUNTIME_LIMITS_DEFAULT, retry: { ...RETRY_POLICY_DEFAULT, delayMs: 50 } },
    concurrency: CONCURRENCY,
    retireEveryMs: options.retireEveryMs,
  });
  const surgeon = startSurgeon({
    ...shared,
    prices: PRICES_DEFAULT,
    limits: { ...SURGERY_LIMITS_DEFAULT, costPerCase: 0, retentionMs },
    upkeepMs: 200,
  });
  return {
    store,
    async submit(n) {
      const mood = moodOf(n);
      const runId = await submitRun(
        { store, keyring, team },
        {
          payload: { n: mood === "broken" ? String(n) : n, mood, text: TEXT },
          ttlMs: mood === "late" ? LATE_TTL_MS : TTL_MS,
          idempotencyKey: randomUUID(),
          lifeMs: retentionMs,
        },
      );
      if (mood !== "unwanted") return;
      await store.runs.cancel({
        runId,
        agents: [...team.agents.keys()],
        by: "soak",
        markLifeMs: retentionMs,
      });
    },
    async cleanUp() {
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
