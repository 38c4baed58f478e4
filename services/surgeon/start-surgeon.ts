import { uuidv7 } from "#shared/clock";
import { Notifier } from "#shared/feedback";
import { every, applyPauses, drain, shareCircuits } from "#shared/runtime/process";
import { ANNOUNCE_EVERY_MS } from "#shared/store";
import { Consumer, guardConsumers } from "#shared/store/queues";
import { RecipeStore } from "#shared/store/cases";
import { takeInDeadMessages } from "#shared/ward";
import { handleCaseJob } from "./cases/handle-case-job.ts";
import { RecipeCache } from "./recipes/recipe-cache.ts";
import type { Surgery } from "./surgery.ts";
import { openCaseMoves, openGroupWork, openUpkeep } from "./upkeep/upkeep.ts";

export interface StartSurgeonOptions extends Omit<Surgery, "stopping" | "recipes" | "recipeCache"> {
  /** Pause between two rounds of upkeep, in ms. Default 1,000. */
  readonly upkeepMs?: number;
  /** Pause between two rounds of notices, in ms. Default 1,000. */
  readonly noticesEveryMs?: number;
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
  const { store, logger, limits } = options;
  const recipes = new RecipeStore(store);
  const surgery: Surgery = {
    ...options,
    model: shareCircuits(options.model, { store, logger, circuit: limits.modelCircuit }),
    recipes,
    recipeCache: new RecipeCache(recipes),
    stopping: stopping.signal,
  };
  // Each shard has a ward of its own.
  const wards = store.shards.map((shard) => openWard(options, { ...surgery, store: shard }));
  const consumers = wards.map(({ consumer }) => consumer);
  const { silentMs, silentRestartsMax: restartsMax, clockCheckMs } = limits;
  const guard = guardConsumers(consumers, { guard: { silentMs, restartsMax, clockCheckMs }, logger });
  const notifier = new Notifier({ store, logger, receivers: limits.webhooks, thresholds: limits });
  const instance = uuidv7();
  const announce = (): Promise<void> => store.registry.announceSurgeon(instance);
  announce().catch((error: unknown) => logger.warn({ err: error }, "the surgeon was not announced"));
  const work = [...wards.flatMap(({ upkeep, moves }) => [upkeep, moves]), openGroupWork(surgery)];
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
  const { surgeonConcurrency, lockMs, stalledIntervalMs } = options.limits;
  const consumer = new Consumer(surgery.store, {
    agent: "ward",
    lane: "ward",
    // Each shard has its share.
    concurrency: Math.ceil(surgeonConcurrency / options.store.shards.length),
    lockMs,
    stalledIntervalMs,
    handle: (job) => handleCaseJob(surgery, job),
    onError: (error, untold) => options.logger.warn({ err: error, untold }, "engine error"),
  });
  return { consumer, upkeep: openUpkeep(surgery), moves: openCaseMoves(surgery) };
}
