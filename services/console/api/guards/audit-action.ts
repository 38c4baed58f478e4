import { timestamp } from "#shared/clock";
import type { Store } from "#shared/store";
import type { AuditEntry } from "#shared/store/cases";

/** Something that a person did that is no change of a case; those the store audits by itself, with the change. */
export interface AuditedAction {
  readonly by: string;
  readonly action: string;
  readonly why: string;
  readonly detail?: Readonly<Record<string, unknown>>;
  /** The group that it was done with, for that group's own audit. */
  readonly fingerprint?: string;
}

const WHY_CHARS_MAX = 2000;

/** Adds a line to the ward's audit, where who did what is looked for. */
export async function auditAction(store: Store, did: AuditedAction): Promise<void> {
  const { by, action, why, detail = {}, fingerprint } = did;
  const entry: AuditEntry = {
    case_id: "",
    at: timestamp(),
    by,
    action,
    why: why.slice(0, WHY_CHARS_MAX),
    detail,
  };
  if (fingerprint !== undefined) return store.cases.groups.note(fingerprint, entry);
  await store.cases.note(entry);
}
