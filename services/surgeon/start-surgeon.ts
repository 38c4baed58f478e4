import { uuidv7 } from "#shared/clock";
import { Notifier, WARD_THRESHOLDS_DEFAULT } from "#shared/feedback";
import type { NotifierOptions } from "#shared/feedback";
import { every, applyPauses, drain, shareCircuits } from "#shared/runtime/process";
import { ANNOUNCE_EVERY_MS } from "#shared/store";
import { Consumer, guardConsumers } from "#shared/store/queues";
import { RecipeStore } from "#shared/store/cases";
import { takeInDeadMessages } from "#shared/ward";
import type { EndpointCircuitRule } from "#shared/store/feedback";
import type { GuardOptions } from "#shared/store/queues";
import { handleCaseJob } from "./cases/handle-case-job.ts";
import { RecipeCache } from "./recipes/recipe-cache.ts";
import type { Surgery } from "./surgery.ts";
import { openGroupWork, openUpkeep } from "./upkeep/upkeep.ts";

export interface StartSurgeonOptions extends Omit<Surgery, "stopping" | "recipes" | "recipeCache"> {
  /** Cases in surgery at once in this process. Default 16. Each shard has its share. */
  readonly concurrency?: number;
  /** Lock duration (lease) without renewal, in ms. Default 5,000. */
  readonly lockMs?: number;
  /** Interval of the check for stalled jobs, in ms. Default 2,000. */
  readonly stalledIntervalMs?: number;
  /** Pause between two rounds of upkeep, in ms. Default 1,000. */
  readonly upkeepMs?: number;
  /** Rule by which model calls wait because their endpoint fails. Default: `ENDPOINT_CIRCUIT_RULE_DEFAULT`. */
  readonly circuit?: Partial<EndpointCircuitRule>;
  /** Receivers and thresholds of webhook notices. Default: none. */
  readonly notices?: Omit<NotifierOptions, "store" | "logger">;
  /** Pause between two rounds of notices, in ms. Default 1,000. */
  readonly noticesEveryMs?: number;
  /** Silence after which a consumer is restarted, and the pause between checks of the clock. */
  readonly guard?: Partial<GuardOptions>;
}

export interface RunningSurgeon {
  /** `held`: the clock differs from Redis's, and no case is taken. */
  readonly state: "working" | "held";
  /** Rejects when the consumer stays silent through its restarts: the process should end. Never resolves. */
  readonly failed: Promise<never>;
  /** Takes no new case, lets running operations end for `graceMs`, then returns their jobs to the queue. */
  stop(graceMs: number): Promise<void>;
}

/** Takes cases from the ward's queue until stopped. */
export function startSurgeon(options: StartSurgeonOptions): RunningSurgeon {
  const stopping = new AbortController();
  const { store, logger } = options;
  const recipes = new RecipeStore(store);
  const surgery: Surgery = {
    ...options,
    model: shareCircuits(options.model, options),
    recipes,
    recipeCache: new RecipeCache(recipes),
    stopping: stopping.signal,
  };
  // Each shard has a ward of its own.
  const wards = store.shards.map((shard) => openWard(options, { ...surgery, store: shard }));
  const consumers = wards.map(({ consumer }) => consumer);
  const guard = guardConsumers(consumers, options);
  const notifier = openNotifier(options);
  const instance = uuidv7();
  const announce = (): Promise<void> => store.registry.announceSurgeon(instance);
  announce().catch((error: unknown) => options.logger.warn({ err: error }, "the surgeon was not announced"));
  const work = [...wards.map(({ upkeep }) => upkeep), openGroupWork(surgery)];
  const stops = [
    ...work.map((round) => every(options.upkeepMs ?? 1000, round, logger)),
    applyPauses({ store, logger }, [{ agent: "ward", lane: "ward" }]),
    // Beside the upkeep: a receiver that is slow to answer must not hold up the ward.
    every(options.noticesEveryMs ?? 1000, () => notifier.round(), logger),
    every(options.noticesEveryMs ?? 1000, () => notifier.tell(), logger),
    every(ANNOUNCE_EVERY_MS, announce, logger),
  ];
  for (const consumer of consumers) consumer.start();
  guard.start();
  stops.push(...store.shards.map((shard) => takeInDeadMessages({ store: shard, logger })));
  return {
    get state() {
      return guard.state.state;
    },
    failed: guard.failed,
    async stop(graceMs) {
      guard.stop();
      for (const stopOne of stops) stopOne();
      // Not waited for: a Redis that hangs must not hold up the stop.
      void store.registry.leaveSurgeon(instance).catch(() => undefined);
      const notified = notifier.stop(graceMs);
      await drain(consumers, stopping, graceMs);
      await notified;
      await Promise.all(consumers.map((consumer) => consumer.close()));
    },
  };
}

function openWard(options: StartSurgeonOptions, surgery: Surgery) {
  const consumer = new Consumer(surgery.store, {
    agent: "ward",
    lane: "ward",
    concurrency: Math.ceil((options.concurrency ?? 16) / options.store.shards.length),
    lockMs: options.lockMs ?? 5000,
    stalledIntervalMs: options.stalledIntervalMs ?? 2000,
    handle: (job) => handleCaseJob(surgery, job),
    onError: (error, untold) => options.logger.warn({ err: error, untold }, "engine error"),
  });
  return { consumer, upkeep: openUpkeep(surgery) };
}

function openNotifier({ store, logger, notices }: StartSurgeonOptions): Notifier {
  const none = { receivers: [], thresholds: WARD_THRESHOLDS_DEFAULT };
  return new Notifier({ ...(notices ?? none), store, logger });
}
