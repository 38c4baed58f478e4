import type { OutboxEntry } from "#shared/store/settlement";

/** What an entry has set in motion. */
export type Delivered = Pick<OutboxEntry, "changes" | "sends" | "admissions">;

export const NOTHING_DELIVERED: Delivered = { changes: [], sends: [], admissions: [] };
