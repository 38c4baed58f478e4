import { createHash } from "node:crypto";
import { now, random } from "#shared/clock";
import type { WebhookReceiver } from "#shared/config";
import { crashPoint } from "#shared/crash-points";
import { sourceOfCluster } from "#shared/http";
import type { Store } from "#shared/store";
import { TEST_NOTICE } from "#shared/store/feedback";
import type { Delivery, Notice } from "#shared/store/feedback";
import type { Logger } from "#shared/telemetry";
import { postWebhook } from "./post-webhook.ts";
import { WardWatch } from "./ward-watch.ts";
import type { WardThresholds } from "./ward-watch.ts";

export interface NotifierOptions {
  readonly store: Store;
  readonly receivers: readonly WebhookReceiver[];
  readonly thresholds: WardThresholds;
  readonly logger: Logger;
  /** Timeout of one try, in ms. Default 10,000. */
  readonly timeoutMs?: number;
  /** Maximum age of a notice, in ms; older ones are dropped. Default one day. */
  readonly ageMsMax?: number;
  /** Maximum number of queued notices for one receiver. Default 1,000. */
  readonly queueMax?: number;
}

interface Target {
  readonly id: string;
  readonly types: readonly string[] | null;
  readonly receiver: WebhookReceiver;
}

const HOUR_MS = 3_600_000;
const DEFAULTS = {
  timeoutMs: 10_000,
  ageMsMax: 24 * HOUR_MS,
  queueMax: 1000,
};

/** First delay of the exponential backoff, whose longest is one hour. */
const RETRY_DELAY_MS = 5000;
/** Lease beyond the timeout, in ms, so that no other process takes the notice. */
const LEASE_MARGIN_MS = 20_000;
/** Maximum notices for one receiver in one round. */
const POSTS_PER_ROUND = 20;
const DOUBLINGS_MAX = 20;

/**
 * Delivers notices by webhook: finds them, queues them for each receiver, and posts what is due. At-least-once:
 * repeats only after a crash between the response and its record. Safe in several processes.
 */
export class Notifier {
  private readonly options: Required<NotifierOptions>;
  private readonly targets: readonly Target[];
  private readonly watch: WardWatch;
  private readonly stopping = new AbortController();
  private isEnding = false;
  private current: Promise<void> = Promise.resolve();

  constructor(options: NotifierOptions) {
    this.options = { ...DEFAULTS, ...options };
    this.watch = new WardWatch(options.store, options.thresholds);
    this.targets = options.receivers.map((receiver) => ({
      // Redis gets a hash, because the address may contain a token.
      id: createHash("sha256").update(receiver.url.reveal()).digest("hex").slice(0, 32),
      types: receiver.events,
      receiver,
    }));
  }

  /** Runs one round: serves all receivers side by side. It lasts as long as the slowest of them. */
  round(): Promise<void> {
    if (this.isEnding || this.targets.length === 0) return Promise.resolve();
    this.current = this.work();
    return this.current;
  }

  /** Says which receivers there are, and queues the tests of them that people ordered. */
  async tell(): Promise<void> {
    const { store } = this.options;
    if (this.targets.length === 0) return;
    const shown = this.targets.map(({ id, types, receiver: { url, format } }) => ({
      receiver: id,
      host: new URL(url.reveal()).host,
      events: types === null ? null : [...types],
      format,
    }));
    await store.notices.show(shown);
    await store.notices.queueTests(this.targets.map(({ id }) => id));
  }

  /** Stops; requests in flight are aborted after `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.isEnding = true;
    const timer = setTimeout(() => this.stopping.abort(new Error("the process stops")), graceMs);
    await this.current.catch(() => undefined);
    clearTimeout(timer);
  }

  private async work(): Promise<void> {
    const { store, queueMax, logger } = this.options;
    await this.watch.look();
    const { dropped } = await store.notices.spread({ receivers: this.targets, queueMax });
    if (dropped > 0) logger.error({ dropped }, "a webhook's queue is full: notices are dropped");
    await Promise.all(this.targets.map((target) => this.serve(target)));
  }

  private async serve(target: Target): Promise<void> {
    const { store, timeoutMs } = this.options;
    for (let posts = 0; posts < POSTS_PER_ROUND && !this.isEnding; posts += 1) {
      const notice = await store.notices.take(target.id, timeoutMs + LEASE_MARGIN_MS);
      if (notice === null || !(await this.post(target, notice))) return;
    }
  }

  /** @returns true when the receiver accepted it. */
  private async post({ id, receiver }: Target, notice: Notice): Promise<boolean> {
    const { store, logger, timeoutMs, ageMsMax } = this.options;
    try {
      const source = sourceOfCluster(store.options.prefix);
      await postWebhook(notice, { receiver, source, timeoutMs, signal: this.stopping.signal });
    } catch (error) {
      const isOver = notice.type === TEST_NOTICE || now() - Date.parse(notice.at) >= ageMsMax;
      const fields = { err: error, notice: notice.id, type: notice.type, attempts: notice.attempts + 1 };
      await this.note(id, notice, isOver ? "given_up" : "will_be_sent_again", error);
      if (isOver) {
        logger.error(fields, "a webhook was not taken and is given up: a test, or for too long");
        await store.notices.forget(id, notice.id);
      } else {
        logger.warn(fields, "a webhook was not taken and will be sent again");
        await store.notices.postpone(id, notice, this.delayMs(notice.attempts));
      }
      return false;
    }
    crashPoint("W19:after_notice_before_forgotten");
    await store.notices.forget(id, notice.id);
    await this.note(id, notice, "taken");
    return true;
  }

  private note(
    receiver: string,
    { id, type, attempts }: Notice,
    outcome: Delivery["outcome"],
    error?: unknown,
  ): Promise<void> {
    const said = error instanceof Error ? error.message : null;
    const tried = { id, type, at_ms: now(), attempts: attempts + 1, outcome, error: said };
    return this.options.store.notices.note(receiver, tried);
  }

  /** Jitter in the upper half of the delay, so that receivers that failed together are not retried together. */
  private delayMs(attempts: number): number {
    const delayMs = Math.min(HOUR_MS, RETRY_DELAY_MS * 2 ** Math.min(attempts, DOUBLINGS_MAX));
    return Math.ceil(delayMs * (0.5 + random() / 2));
  }
}
