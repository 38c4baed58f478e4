import { now, timestamp } from "#shared/clock";
import type { WebhookEvent } from "#shared/config";
import type { Store } from "#shared/store";
import type { CaseGroup } from "#shared/store/cases";
import { producerKey } from "#shared/store/feedback";

export interface WardThresholds {
  /** Messages of one group in an hour that count as growth. Default 50. */
  readonly groupMessagesPerHour: number;
  /** Number of quarantined cases that counts as full. Default 100. */
  readonly quarantineCasesMax: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Maximum groups read in one page. */
const GROUPS_AT_ONCE = 200;
/** Groups are read again for the tolerated clock difference, in ms, because messages carry their process's clock. */
const OVERLAP_MS = 5000;
/** Share of malformed outputs in the last hour at which a producer fails, and of how many at least. */
const FAILING_RATE = 0.5;
const FAILING_OUTPUTS_MIN = 20;
const PRODUCERS_EVERY_MS = 60_000;
/** Cached marks, which save Redis calls. */
const MARKS_MAX = 10_000;

/**
 * Finds what people should know of the ward: new, growing and regressed groups, a full quarantine, malformed producers.
 * One process marks each finding, so several may watch; ongoing findings repeat hourly.
 */
export class WardWatch {
  private readonly store: Store;
  private readonly thresholds: WardThresholds;
  private readonly marked = new Set<string>();
  private sinceMs = now() - DAY_MS;
  private producersMs = 0;

  constructor(store: Store, thresholds: WardThresholds) {
    this.store = store;
    this.thresholds = thresholds;
  }

  async look(): Promise<void> {
    const startedMs = now();
    const { groups, isMore } = await this.store.cases.groups.arrivedSince(this.sinceMs, GROUPS_AT_ONCE);
    for (const group of groups) await this.lookAtGroup(group);
    const last = groups.at(-1)?.last_seen_ms ?? 0;
    // A full page continues after its last entry, or after its millisecond when all entries share it.
    this.sinceMs = isMore ? Math.max(last, this.sinceMs + 1) : Math.max(this.sinceMs, startedMs - OVERLAP_MS);
    await this.lookAtQuarantine();
    if (startedMs < this.producersMs + PRODUCERS_EVERY_MS) return;
    this.producersMs = startedMs;
    await this.lookAtProducers();
  }

  private async lookAtGroup(group: CaseGroup): Promise<void> {
    const { fingerprint, lifecycle, first_seen_ms, marked_ms } = group;
    const messagesThisHour = group.trend.at(-1) ?? 0;
    const data = {
      fingerprint,
      producer: group.producer,
      messages: group.count,
      messages_this_hour: messagesThisHour,
      open: group.open,
      first_seen: timestamp(first_seen_ms),
    };
    if (now() - first_seen_ms < DAY_MS)
      await this.notify("fingerprint.new", `${fingerprint}:${first_seen_ms}`, data);
    if (messagesThisHour >= this.thresholds.groupMessagesPerHour)
      await this.notify("group.growing", `${fingerprint}:${hourOf(now())}`, data);
    if (lifecycle === "regressed")
      await this.notify("group.regressed", `${fingerprint}:${marked_ms ?? 0}`, data);
  }

  private async lookAtQuarantine(): Promise<void> {
    const { quarantined } = await this.store.cases.counts();
    const { quarantineCasesMax } = this.thresholds;
    if (quarantined < quarantineCasesMax) return;
    await this.notify("quarantine.full", String(hourOf(now())), {
      quarantined,
      quarantine_cases_max: quarantineCasesMax,
    });
  }

  private async lookAtProducers(): Promise<void> {
    for (const { rate, trend: _, ...producer } of await this.store.rates.producers("hour")) {
      if (rate < FAILING_RATE || producer.outputs < FAILING_OUTPUTS_MIN) continue;
      await this.notify("producer.failing", `${producerKey(producer)}:${hourOf(now())}`, producer);
    }
  }

  private async notify(type: WebhookEvent, of: string, data: object): Promise<void> {
    const mark = `${type}:${of}`;
    if (this.marked.has(mark)) return;
    await this.store.notices.add({ mark, type, data });
    if (this.marked.size >= MARKS_MAX) this.marked.clear();
    this.marked.add(mark);
  }
}

function hourOf(atMs: number): number {
  return Math.floor(atMs / HOUR_MS);
}
