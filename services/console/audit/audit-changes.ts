import { z } from "zod";
import { timestamp } from "#shared/clock";
import { digestOf } from "#shared/envelope/seals";
import { SutureError } from "#shared/errors";
import type { Store } from "#shared/store";
import type { AuditEntry } from "#shared/store/cases";
import type { Caller } from "../api/guards/caller.ts";
import type { Console } from "../console.ts";

/** One request that changes something. */
interface AskedChange {
  readonly action: string;
  readonly caller: Caller;
  readonly params: unknown;
  readonly body: unknown;
}

/** Longest text of a request that is kept as it is, in characters; of what is longer, its digest. */
const TEXT_CHARS_MAX = 300;

/** Writes down what a person asks for, then does it. A refusal is written down too, with the record's number. */
export async function writeThenDo<Result>(
  { audit }: Pick<Console, "audit">,
  { action, caller, params, body }: AskedChange,
  work: () => Promise<Result>,
): Promise<Result> {
  const who = { by: caller.name, person: caller.person };
  const { why, ...asked } = membersOf(body);
  const detail = { ...membersOf(params), ...briefOf(asked) };
  const number = await audit.write({
    ...who,
    action,
    why: typeof why === "string" ? why : "",
    detail,
  });
  try {
    return await work();
  } catch (error) {
    const code = error instanceof SutureError ? error.code : "INTERNAL";
    await audit.write({ ...who, action: "refused", why: "", detail: { action, record: number, code } });
    throw error;
  }
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** Replaces payloads and long values by their digests. */
function briefOf(asked: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(asked).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isBrief(name, value) ? value : sha256Of(value)]),
  );
}

function isBrief(name: string, value: unknown): boolean {
  if (name.startsWith("payload")) return false;
  if (value === null || typeof value === "number" || typeof value === "boolean") return true;
  const text =
    typeof value === "string" ? value : namesOrNumbers.safeParse(value).success && JSON.stringify(value);
  return text !== false && text.length <= TEXT_CHARS_MAX;
}

/** Of an API key: teams that it may use, and quotas. */
const namesOrNumbers = z.union([z.array(z.string()), z.record(z.string(), z.number())]);

function sha256Of(value: unknown): string {
  return `sha256:${digestOf(typeof value === "string" ? value : JSON.stringify(value))}`;
}

/** Something that a person did that is no change of a case; those the store audits by itself, with the change. */
interface AuditedAction {
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
