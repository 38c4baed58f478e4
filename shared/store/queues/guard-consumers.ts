import { now, sleep } from "#shared/clock";
import type { Logger } from "#shared/telemetry";
import { CLOCK_SKEW_MS_MAX, compareClocks } from "../clock-skew.ts";
import { ConsumerSilentError } from "../errors.ts";
import type { Store } from "../store.ts";
import type { Consumer } from "./consume.ts";

export interface GuardOptions {
  /** Time without a fetch while jobs wait, after which the consumer is restarted, in ms. Default 20,000. */
  readonly silentMs: number;
  /** Consecutive failed restarts after which the process gives up. Default 5. */
  readonly restartsMax: number;
  /** Interval of the clock comparison with Redis, in ms. Default 10,000. */
  readonly clockCheckMs: number;
}

const GUARD_DEFAULT: GuardOptions = { silentMs: 20_000, restartsMax: 5, clockCheckMs: 10_000 };

/** State of a process's consumers. */
interface GuardState {
  /** `held`: the clock skew is too large, and no jobs are taken. */
  readonly state: "working" | "held";
  /** Restarts since the process began. */
  readonly restarts: number;
}

const LOOKS_PER_SILENCE = 4;

/** Restarts consumers that fetch nothing while jobs wait; holds a shard's while its clock is off by more than 2 s. */
export function guardConsumers(
  consumers: readonly Consumer[],
  { guard, logger }: { readonly guard?: Partial<GuardOptions>; readonly logger: Logger },
) {
  const options = { ...GUARD_DEFAULT, ...guard };
  const stopping = new AbortController();
  const { signal } = stopping;
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  // Prevents an unhandled rejection if nobody awaits it.
  failed.catch(() => undefined);
  const held = new Set<Store>();
  let restarts = 0;

  const look = async (consumer: Consumer, watch: SilenceWatch): Promise<void> => {
    const { queue, store, state } = consumer;
    const fetchable = await countFetchable(store, queue);
    const verdict = watch.judge({ atMs: performance.now(), fetchable, ...state });
    if (verdict === "given_up") fail(new ConsumerSilentError(queue, options.restartsMax));
    if (verdict !== "silent") return;
    restarts += 1;
    logger.error({ queue, restarts }, "a consumer was silent and is started anew");
    await consumer.restart();
  };
  const compare = async (store: Store): Promise<void> => {
    const skewMs = await compareClocks(store.redis);
    if (signal.aborted) return;
    const isOff = Math.abs(skewMs) > CLOCK_SKEW_MS_MAX;
    if (isOff) logger.error({ skew_ms: skewMs }, "the clock differs from that of Redis: no work is taken");
    if (isOff === held.has(store)) return;
    held[isOff ? "add" : "delete"](store);
    for (const consumer of consumers)
      if (consumer.store === store) consumer[isOff ? "hold" : "release"]("clock");
    if (!isOff) logger.info("the clock is right again: work is taken");
  };
  /** Repeats a check. One that fails, as when Redis is away, is ignored. */
  const repeat = async (everyMs: number, turn: () => Promise<void>): Promise<void> => {
    while (!signal.aborted) {
      await sleep(everyMs, signal).catch(() => undefined);
      if (!signal.aborted) await turn().catch(() => undefined);
    }
  };
  return {
    get state(): GuardState {
      return { state: held.size > 0 ? "held" : "working", restarts };
    },
    /** Rejects with a `ConsumerSilentError` when restarts do not help; the process should exit. Never resolves. */
    failed,
    start(): void {
      for (const consumer of consumers) {
        const watch = new SilenceWatch(options);
        void repeat(options.silentMs / LOOKS_PER_SILENCE, () => look(consumer, watch));
      }
      for (const store of new Set(consumers.map((one) => one.store)))
        void repeat(options.clockCheckMs, () => compare(store));
    },
    stop: () => stopping.abort(),
  };
}

/** BullMQ stores the time of a delayed job in the upper bits of its score. */
const DELAYED_SCORE_PER_MS = 0x1000;

/** Returns how many jobs a healthy worker would take at once; 0 while paused. @throws {Error} No answer. */
async function countFetchable(store: Store, queue: string): Promise<number> {
  const key = (name: string): string => store.keys.job(queue, name);
  const [waiting, prioritized, due, isPaused] = await Promise.all([
    store.redis.llen(key("wait")),
    store.redis.zcard(key("prioritized")),
    store.redis.zcount(key("delayed"), "-inf", now() * DELAYED_SCORE_PER_MS),
    store.redis.hexists(key("meta"), "paused"),
  ]);
  return isPaused === 1 ? 0 : waiting + prioritized + due;
}

/** Observed state of one consumer. Times are in ms on one monotonic clock. */
interface ConsumerLook {
  readonly atMs: number;
  /** Jobs that could be taken now. */
  readonly fetchable: number;
  /** True if it has free capacity and is not held. */
  readonly isFree: boolean;
  /** Time at which it last took a job, in ms. */
  readonly fetchedMs: number;
  /** Time of the last BullMQ error: a consumer that gets errors is not silent. */
  readonly erredMs: number;
}

type Verdict = "well" | "silent" | "given_up";

/** After each failed restart the time to the next one doubles, up to this many times `silentMs`. */
const PATIENCE_MAX = 8;
/** A consumer has recovered after this many times `silentMs`: a new worker's first fetch does not block. */
const HEALED_AFTER = 10;

/** Decides whether a silent consumer is idle or dead. Pure, apart from its own state. */
class SilenceWatch {
  private readonly options: GuardOptions;
  private restarts = 0;
  private sinceMs: number | null = null;
  private fetchedMs = -Infinity;
  private restartedMs = -Infinity;

  constructor(options: GuardOptions) {
    this.options = options;
  }

  /** `silent`: restart it. `given_up`: the maximum of consecutive restarts is reached. */
  judge(look: ConsumerLook): Verdict {
    const { silentMs, restartsMax } = this.options;
    if (look.fetchedMs > this.fetchedMs) {
      this.fetchedMs = look.fetchedMs;
      this.sinceMs = null;
    }
    if (look.atMs - this.restartedMs >= HEALED_AFTER * silentMs) this.restarts = 0;
    const isRefused = look.atMs - look.erredMs < silentMs;
    if (look.fetchable === 0 || !look.isFree || isRefused) {
      this.sinceMs = null;
      return "well";
    }
    this.sinceMs ??= look.atMs;
    const patienceMs = silentMs * Math.min(2 ** this.restarts, PATIENCE_MAX);
    if (look.atMs - this.sinceMs < patienceMs) return "well";
    this.sinceMs = null;
    if (this.restarts >= restartsMax) return "given_up";
    this.restarts += 1;
    this.restartedMs = look.atMs;
    return "silent";
  }
}
