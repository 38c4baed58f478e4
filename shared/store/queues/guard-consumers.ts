import { sleep } from "#shared/clock";
import { CLOCK_SKEW_MS_MAX, compareClocks } from "../clock-skew.ts";
import { ConsumerSilentError } from "../errors.ts";
import type { Store } from "../store.ts";
import type { Consumer } from "./consume.ts";
import { countFetchable } from "./count-fetchable.ts";
import { SilenceWatch } from "./silence-watch.ts";

export interface GuardOptions {
  /** Work waits and nothing was fetched for this long, in ms: the consumer is started anew. Default 20,000. */
  readonly silentMs: number;
  /** Restarts in a row in vain, after which it is given up. Default 5. */
  readonly restartsMax: number;
  /** How often the clock is compared with that of Redis, in ms. Default 10,000. */
  readonly clockCheckMs: number;
}

export const GUARD_DEFAULT: GuardOptions = { silentMs: 20_000, restartsMax: 5, clockCheckMs: 10_000 };

/** What a guard tells its process, to be logged. */
export interface GuardReports {
  readonly onRestart: (restarted: { readonly queue: string; readonly restarts: number }) => void;
  /** The clock is off, and no work is taken; told at each check. */
  readonly onSkew: (skewMs: number) => void;
  readonly onMended: () => void;
}

/** How the consumers of a process are. */
export interface GuardState {
  /** `held`: the clock is off, and no work is taken. */
  readonly state: "working" | "held";
  /** Consumers started anew since the process began. */
  readonly restarts: number;
}

const LOOKS_PER_SILENCE = 4;

/**
 * Looks after consumers: one that fetches nothing while work waits is started anew, and none takes work while this
 * machine's clock differs from that of Redis by more than 2 s.
 */
export class ConsumerGuard {
  /** Rejects with a `ConsumerSilentError` when restarts do not help: the process should end. Never resolves. */
  readonly failed: Promise<never>;
  private readonly store: Store;
  private readonly consumers: readonly Consumer[];
  private readonly options: GuardOptions;
  private readonly reports: GuardReports;
  private readonly stopping = new AbortController();
  private fail: (error: Error) => void = () => undefined;
  private isHeld = false;
  private restarts = 0;

  constructor(
    store: Store,
    parts: {
      readonly consumers: readonly Consumer[];
      readonly options: GuardOptions;
      readonly reports: GuardReports;
    },
  ) {
    this.store = store;
    this.consumers = parts.consumers;
    this.options = parts.options;
    this.reports = parts.reports;
    this.failed = new Promise((_, reject) => {
      this.fail = reject;
    });
    // Who does not care must not die of it unasked.
    this.failed.catch(() => undefined);
  }

  get state(): GuardState {
    return { state: this.isHeld ? "held" : "working", restarts: this.restarts };
  }

  start(): void {
    const { silentMs, clockCheckMs } = this.options;
    for (const consumer of this.consumers) {
      const watch = new SilenceWatch(this.options);
      void this.repeat(silentMs / LOOKS_PER_SILENCE, () => this.look(consumer, watch));
    }
    void this.repeat(clockCheckMs, () => this.compareClocks());
  }

  stop(): void {
    this.stopping.abort();
  }

  private async look(consumer: Consumer, watch: SilenceWatch): Promise<void> {
    const fetchable = await countFetchable(this.store, consumer.place);
    const verdict = watch.judge({ atMs: performance.now(), fetchable, ...consumer.state });
    const { queue } = consumer.place;
    if (verdict === "given_up") this.fail(new ConsumerSilentError(queue, this.options.restartsMax));
    if (verdict !== "silent") return;
    this.restarts += 1;
    this.reports.onRestart({ queue, restarts: this.restarts });
    await consumer.restart();
  }

  private async compareClocks(): Promise<void> {
    const skewMs = await compareClocks(this.store.redis);
    if (this.stopping.signal.aborted) return;
    const isOff = Math.abs(skewMs) > CLOCK_SKEW_MS_MAX;
    if (isOff) this.reports.onSkew(skewMs);
    if (isOff === this.isHeld) return;
    this.isHeld = isOff;
    for (const consumer of this.consumers) {
      if (isOff) consumer.hold("clock");
      else consumer.release("clock");
    }
    if (!isOff) this.reports.onMended();
  }

  /** A look that fails, as when Redis is away, says nothing; the next one will. */
  private async repeat(everyMs: number, turn: () => Promise<void>): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await sleep(everyMs, signal).catch(() => undefined);
      if (!signal.aborted) await turn().catch(() => undefined);
    }
  }
}
