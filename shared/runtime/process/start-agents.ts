import { hostname } from "node:os";
import type { Logger } from "pino";
import { now, randomHex, sleep, whenAborted } from "#shared/clock";
import { loadTokenCounter } from "#shared/context";
import type { TokenCounters } from "#shared/context";
import type { Keyring } from "#shared/envelope/keys";
import { OutputCounter } from "#shared/feedback";
import { toStrictSchema } from "#shared/model";
import type { ModelClient } from "#shared/model";
import { ANNOUNCE_EVERY_MS, checkDataFormat, markDataFormat, retryWhileRefused } from "#shared/store";
import type { AgentPresence, Store } from "#shared/store";
import type { EndpointCircuitRule } from "#shared/store/feedback";
import { Consumer, guardConsumers } from "#shared/store/queues";
import type { DeliveredJob, Disposal, GuardOptions } from "#shared/store/queues";
import type { Metrics } from "#shared/telemetry";
import { PoisonIsolation } from "../deliver/poison-isolation.ts";
import type { Agent } from "../define/define-agent.ts";
import type { Team } from "../define/define-team.ts";
import type { FailedWork, RuntimeLimits, Workplace } from "../deliver/delivery.ts";
import { AgentDefinitionError } from "../errors.ts";
import { handleMessage } from "../deliver/handle-message.ts";
import { every, startUpkeep, lanesOf, applyPauses } from "./upkeep.ts";
import { measureDeliveries } from "../deliver/report-delivery.ts";
import { pausedAt, shareCircuits } from "./share-circuits.ts";

export interface StartAgentsOptions {
  readonly teams: readonly Team[];
  /** Agents that this process runs. Default: all of the teams. */
  readonly only?: readonly string[];
  readonly store: Store;
  readonly keyring: Keyring;
  readonly model: ModelClient;
  /** Spans of model calls hold their content, redacted. Default false. */
  readonly capturesContent?: boolean;
  /** Token counters for agents with a token budget. Default: OpenAI's tables, loaded on first use. */
  readonly tokenCounters?: TokenCounters;
  readonly logger: Logger;
  /** Metrics of deliveries. Default: none. */
  readonly metrics?: Metrics;
  /** Gets each failure before it is settled, unmasked, for tests of teams. Default: none. */
  readonly onFailure?: (failed: FailedWork) => void;
  readonly limits: RuntimeLimits;
  /** Messages of one agent handled at once, unless the agent declares its own number. Each shard has its share. */
  readonly concurrency: number;
  readonly lockMs: number;
  readonly stalledIntervalMs: number;
  /** Interval of deleting expired data, in ms. Default 5,000. */
  readonly retireEveryMs?: number;
  /** Circuit breaker settings of model endpoints. Default: `ENDPOINT_CIRCUIT_RULE_DEFAULT`. */
  readonly circuit?: Partial<EndpointCircuitRule>;
  /** Interval of reporting what was counted of outputs and handoffs, in ms. Default 2,000. */
  readonly ratesEveryMs?: number;
  /** Settings of the consumers' watchdog and the clock check. */
  readonly guard?: Partial<GuardOptions>;
}

/** Agents that run in this process. */
export interface RunningAgents {
  readonly agents: readonly string[];
  /** `held`: the clock skew is too large, and no jobs are taken. */
  readonly state: "working" | "held";
  /** Rejects when a consumer stays silent through its restarts; the process should exit. Never resolves. */
  readonly failed: Promise<never>;
  /** Takes no new message, lets those in hand end for `graceMs`, then returns them to the head of their queues. */
  stop(graceMs: number): Promise<void>;
}

const RATES_EVERY_MS = 2000;

/** Interval of reading whether a person holds the agents after a restore, in ms. */
const RESTORE_EVERY_MS = 1000;

/** Retries have slots of their own, one for every two fresh ones: a storm of retries starves no fresh message. */
const FRESH_SLOTS_PER_RETRY_SLOT = 2;

/** Time that aborted handlers get before the connection is closed, in ms. */
const RETURN_MS = 1000;

/** Runs agents in this process until stopped. */
export async function startAgents(options: StartAgentsOptions): Promise<RunningAgents> {
  await checkDataFormat(options.store);
  const stopping = new AbortController();
  const selected = selectAgents(options);
  warnOfLooseAnswers(
    selected.map(({ agent }) => agent),
    options.logger,
  );
  const model = shareCircuits(options.model, options);
  const shared = {
    keyring: options.keyring,
    model,
    capturesContent: options.capturesContent ?? false,
    tokenCounters: options.tokenCounters ?? loadTokenCounter,
    logger: options.logger,
    metrics: options.metrics === undefined ? null : measureDeliveries(options.metrics),
    onFailure: options.onFailure,
    limits: options.limits,
    stopping: stopping.signal,
    poisonIsolation: new PoisonIsolation(),
    counter: new OutputCounter(options.store.rates),
  };
  // Each agent works in every shard.
  const { shards } = options.store;
  const places = shards.flatMap((store) => selected.map((own): Workplace => ({ ...shared, ...own, store })));
  const consumers = places.flatMap((place) => createConsumers(options, place));
  const presences = selected.map((place) => createPresence(options, place));
  const guard = guardConsumers(consumers, options);
  const stateNow = () => (options.store.restores.isHeld ? { state: "held" as const } : guard.state);
  const announce = async (): Promise<void> => {
    await model.refresh();
    await options.store.registry.announce(
      presences.map((presence) => ({ ...presence, ...stateNow(), ...pausedAt(model, presence) })),
    );
  };
  await obeyRestore(options.store, consumers);
  await retryWhileRefused(
    async () => {
      await markDataFormat(options.store);
      await announce();
    },
    (error) => options.logger.error({ err: error }, "Redis takes no writes: the agents wait to start"),
  );
  for (const consumer of consumers) consumer.start();
  guard.start();
  const timers = [
    every(ANNOUNCE_EVERY_MS, announce, options.logger),
    every(options.ratesEveryMs ?? RATES_EVERY_MS, () => shared.counter.report(), options.logger),
    applyPauses(options, selected.flatMap(lanesOf)),
    every(RESTORE_EVERY_MS, () => obeyRestore(options.store, consumers), options.logger),
    ...startUpkeep(options, places),
  ];
  return {
    agents: selected.map(({ agent }) => agent.name),
    get state() {
      return guard.state.state;
    },
    failed: guard.failed,
    async stop(graceMs) {
      guard.stop();
      await options.store.registry.leave(presences).catch(() => undefined);
      await drain(consumers, stopping, graceMs);
      for (const stop of timers) stop();
      await shared.counter.report().catch(() => undefined);
      await Promise.allSettled(consumers.map((consumer) => consumer.close()));
    },
  };
}

/** Holds all consumers while a person reconciles what was done since the snapshot that Redis came back from. */
async function obeyRestore({ restores }: Store, consumers: readonly Consumer[]): Promise<void> {
  await restores.refresh();
  for (const consumer of consumers) consumer[restores.isHeld ? "hold" : "release"]("restore");
}

function selectAgents(options: StartAgentsOptions): { agent: Agent; team: Team }[] {
  const all = options.teams.flatMap((team) => [...team.agents.values()].map((agent) => ({ agent, team })));
  if (options.only === undefined) return all;
  return options.only.map((name) => {
    const found = all.find(({ agent }) => agent.name === name);
    if (found === undefined) {
      const known = all.map(({ agent }) => agent.name).join(", ");
      throw new AgentDefinitionError(name, `no loaded team has it; there are ${known}`);
    }
    return found;
  });
}

function createConsumers(options: StartAgentsOptions, place: Workplace): Consumer[] {
  const asked = place.agent.options.concurrency ?? options.concurrency;
  const fresh = Math.ceil(asked / options.store.shards.length);
  const shared = {
    agent: place.agent.name,
    lockMs: options.lockMs,
    stalledIntervalMs: options.stalledIntervalMs,
    handle: (job: DeliveredJob): Promise<Disposal> => handleMessage(place, job),
    onError: (error: Error, suppressed: number): void =>
      options.logger.warn({ err: error, agent: place.agent.id, suppressed }, "engine error"),
  };
  return [
    new Consumer(place.store, { ...shared, lane: "fresh", concurrency: fresh }),
    new Consumer(place.store, {
      ...shared,
      lane: "retry",
      concurrency: Math.max(1, Math.floor(fresh / FRESH_SLOTS_PER_RETRY_SLOT)),
    }),
  ];
}

function createPresence(
  options: StartAgentsOptions,
  place: Pick<Workplace, "agent" | "team">,
): Omit<AgentPresence, "seen_ms"> {
  const { agent, team } = place;
  return {
    agent: agent.name,
    version: agent.version,
    team: team.name,
    accepts: agent.accepts.id,
    capabilities: agent.options.capabilities ?? [],
    description: agent.options.description ?? "",
    concurrency: agent.options.concurrency ?? options.concurrency,
    instance: `${hostname()}-${process.pid}-${randomHex(4)}`,
    pid: process.pid,
    started_ms: now(),
  };
}

/** Lets consumers end what they hold for `graceMs`, then aborts it and gives it a moment to be returned. */
export async function drain(
  consumers: readonly Consumer[],
  stopping: AbortController,
  graceMs: number,
): Promise<void> {
  const returned = whenAborted(stopping.signal).catch(() => sleep(RETURN_MS));
  const timer = setTimeout(() => stopping.abort(new Error("the process stops")), Math.max(0, graceMs));
  // Jobs of handlers that do not return are left to the stall check.
  await Promise.race([Promise.all(consumers.map((consumer) => consumer.drain())), returned]);
  clearTimeout(timer);
}

/** Warns of answers' schemas that no endpoint can enforce in strict mode: they are sent as hints. Not of XML. */
function warnOfLooseAnswers(agents: readonly Agent[], logger: Logger): void {
  for (const agent of agents) {
    for (const contract of agent.options.answers ?? []) {
      if (contract.options.answersIn === "xml") continue;
      const [fault] = toStrictSchema(contract.jsonSchema).faults;
      if (fault === undefined) continue;
      logger.warn(
        { agent: agent.id, contract: contract.id, path: fault.path, problem: fault.problem },
        "a model's answer cannot be enforced by the endpoint: its schema is sent as a hint",
      );
    }
  }
}
