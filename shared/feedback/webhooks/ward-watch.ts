import { now, timestamp } from "#shared/clock";
import type { WebhookEvent } from "#shared/config";
import type { Store } from "#shared/store";
import type { CaseGroup } from "#shared/store/cases";

export interface WardThresholds {
  /** Messages of one group in one hour from which it counts as growing. Default 50. */
  readonly groupMessagesPerHour: number;
  /** Cases that wait for a person from which the quarantine counts as full. Default 100. */
  readonly quarantineCasesMax: number;
}

export const WARD_THRESHOLDS_DEFAULT: WardThresholds = { groupMessagesPerHour: 50, quarantineCasesMax: 100 };

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Groups looked at in one go; the rest follows in the next. */
const GROUPS_AT_ONCE = 200;
/**
 * A message is written with its process's clock: groups are looked at again for as long as clocks may differ, in ms.
 */
const OVERLAP_MS = 5000;
/** Marks remembered here, to spare Redis the question. */
const MARKS_MAX = 10_000;

/**
 * Looks for what people should know of the ward: new groups, growing and regressed ones, a full quarantine. Several
 * processes may look: each finding has a mark that only one of them can set. What goes on is told anew each hour.
 */
export class WardWatch {
  private readonly store: Store;
  private readonly thresholds: WardThresholds;
  private readonly marked = new Set<string>();
  private sinceMs = now() - DAY_MS;

  constructor(store: Store, thresholds: WardThresholds) {
    this.store = store;
    this.thresholds = thresholds;
  }

  async look(): Promise<void> {
    const startedMs = now();
    const { groups, isMore } = await this.store.cases.groups.arrivedSince(this.sinceMs, GROUPS_AT_ONCE);
    for (const group of groups) await this.lookAtGroup(group);
    const last = groups.at(-1)?.last_seen_ms ?? 0;
    // A full page goes on behind its last; where it never left one millisecond, that is left behind.
    this.sinceMs = isMore ? Math.max(last, this.sinceMs + 1) : Math.max(this.sinceMs, startedMs - OVERLAP_MS);
    await this.lookAtQuarantine();
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
