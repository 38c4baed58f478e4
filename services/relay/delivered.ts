import type { OutboxEntry } from "#shared/store/settlement";

/** Delivered effects of an entry. */
export type Delivered = Pick<OutboxEntry, "changes" | "sends" | "admissions">;

export const NOTHING_DELIVERED: Delivered = { changes: [], sends: [], admissions: [] };
