import { z } from "zod";
import type { AuditEntry } from "./case-record.ts";

/** A line of the audit: who did what, when and why. */
export const auditEntrySchema = z.object({
  seq: z.int().exactOptional(),
  case_id: z.string(),
  at: z.string(),
  by: z.string(),
  action: z.string(),
  why: z.string(),
  detail: z.record(z.string(), z.unknown()),
});

/** Parses audit lines, newest first. An unreadable line gets the action `damaged`. */
export function readAudit(texts: readonly string[]): AuditEntry[] {
  return texts.map(readLine);
}

/**
 * Parses lines of the ward's audit, newest first, and inserts an entry with the action `missing` for each gap in
 * their numbers. Lines of older releases have no number.
 *
 * @param newest - The last number assigned.
 */
export function readNumberedAudit(texts: readonly string[], newest: number): AuditEntry[] {
  const entries: AuditEntry[] = [];
  let after = newest + 1;
  let unreadable = 0;
  for (const entry of readAudit(texts)) {
    if (entry.action === DAMAGED.action) unreadable += 1;
    // If the newest line has no number, the gap above it is unknown.
    else if (entry.seq === undefined && entries.length === 0) after = Number.NaN;
    if (entry.seq !== undefined) {
      const count = after - entry.seq - 1 - unreadable;
      if (count > 0) entries.push(missing(count));
      after = entry.seq;
      unreadable = 0;
    }
    entries.push(entry);
  }
  return entries.length === 0 && newest > 0 ? [missing(newest)] : entries;
}

/**
 * Merges lines that agents wrote of circuits, which open and close by themselves, into the ward's, both newest first.
 * Agents can write nothing else there that is shown.
 */
export function withCircuits(ward: readonly AuditEntry[], ofAgents: readonly AuditEntry[]): AuditEntry[] {
  const circuits = ofAgents.filter(({ action }) => action.startsWith("circuit."));
  const merged = ward.flatMap((entry) => {
    // A damaged line has no time and stays where it is.
    const newer = entry.at === "" ? 0 : circuits.findIndex(({ at }) => at <= entry.at);
    return [...circuits.splice(0, newer === -1 ? circuits.length : newer), entry];
  });
  return [...merged, ...circuits];
}

const DAMAGED: AuditEntry = {
  case_id: "",
  at: "",
  by: "",
  action: "damaged",
  why: "This record cannot be read: somebody changed it, or Redis lost a part of it.",
  detail: {},
};

function missing(count: number): AuditEntry {
  const records = count === 1 ? "1 record is" : `${count} records are`;
  return { ...DAMAGED, action: "missing", why: `${records} missing here.`, detail: { count } };
}

function readLine(text: string): AuditEntry {
  try {
    const parsed = auditEntrySchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : DAMAGED;
  } catch {
    return DAMAGED;
  }
}
