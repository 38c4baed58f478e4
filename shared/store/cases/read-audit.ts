import { z } from "zod";
import { readJson } from "#shared/json";

/** One line of the audit: who did what, when and why. Holds no payload. */
export const auditEntrySchema = z.object({
  /** Sequence number in the ward's audit. Absent before it is written. */
  seq: z.int().exactOptional(),
  case_id: z.string(),
  /** RFC 3339, UTC. */
  at: z.string(),
  /** A person's name, or `name@version` of an agent. */
  by: z.string(),
  /** `damaged`: the line cannot be read; `missing`: lines were lost here. */
  action: z.string(),
  why: z.string(),
  detail: z.record(z.string(), z.unknown()),
});

export type AuditEntry = Readonly<z.output<typeof auditEntrySchema>>;

/** Parses audit lines, newest first. An unreadable line gets the action `damaged`. */
export function readAudit(texts: readonly string[]): AuditEntry[] {
  return texts.map(readLine);
}

/** Parses the ward's audit, newest first; an action `missing` fills each gap. @param newest - Last number assigned. */
export function readNumberedAudit(texts: readonly string[], newest: number): AuditEntry[] {
  const entries: AuditEntry[] = [];
  let after = newest + 1;
  let unreadable = 0;
  for (const entry of readAudit(texts)) {
    if (entry.action === DAMAGED.action) unreadable += 1;
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
  return auditEntrySchema.safeParse(readJson(text)).data ?? DAMAGED;
}

/** Merges audits, newest first. A line without a time (damaged, missing) stays below the one that it followed. */
export function mergeAudits(audits: readonly (readonly AuditEntry[])[]): readonly AuditEntry[] {
  const [first = []] = audits;
  if (audits.length === 1) return first;
  const dated = audits.flatMap((entries) => {
    let at = "9";
    return entries.map((entry) => {
      at = entry.at === "" ? at : entry.at;
      return { at, entry };
    });
  });
  return dated.toSorted((a, b) => (a.at === b.at ? 0 : a.at < b.at ? 1 : -1)).map(({ entry }) => entry);
}
