import { z } from "zod";
import type { Call } from "#shared/api";
import { timestamp } from "#shared/clock";
import { digestOf } from "#shared/envelope/seals";
import { SutureError } from "#shared/errors";
import { maskSecrets } from "#shared/guard";
import { isRecord } from "#shared/json";
import { appendRecord } from "#shared/people";
import type { Deed } from "#shared/people";
import type { Store } from "#shared/store";
import type { RecordList } from "#shared/store/people";
import type { AuditEntry } from "#shared/store/cases";
import type { Caller } from "../api/guards/caller.ts";

const WHY_CHARS_MAX = 2000;

/** Writes down what people do before it is done, one record after the other. */
export class PeopleAudit {
  private readonly list: RecordList;
  private writing: Promise<unknown> = Promise.resolve();

  constructor(list: RecordList) {
    this.list = list;
  }

  /** @throws {RecordsBusyError} Others wrote first, every time. @returns The number of the record. */
  async write(deed: Deed): Promise<number> {
    // Masked before it is chained: what is shown afterwards is what was written.
    const masked = maskSecrets({ ...deed, why: deed.why.slice(0, WHY_CHARS_MAX) }) as Deed;
    const written = this.writing.then(() => appendRecord(this.list, masked));
    this.writing = written.catch(() => undefined);
    return (await written).count;
  }
}

/** Longest text of a request that is kept as it is, in characters; of what is longer, its digest. */
const TEXT_CHARS_MAX = 300;

/** Writes down what a person asks for, then does it. A refusal is written down too, with the record's number. */
export async function writeThenDo<Result>(
  audit: PeopleAudit,
  // Without a name nothing is written down.
  action: string | undefined,
  { caller, params, body }: Pick<Call<{ readonly caller: Caller }>, "caller" | "params" | "body">,
  work: () => Promise<Result>,
): Promise<Result> {
  if (action === undefined) return work();
  const who = { by: caller.name, person: caller.person };
  const { why, ...rest } = isRecord(body) ? body : {};
  const detail = { ...(isRecord(params) ? params : {}), ...briefOf(rest) };
  const number = await audit.write({ ...who, action, why: typeof why === "string" ? why : "", detail });
  try {
    return await work();
  } catch (error) {
    const code = error instanceof SutureError ? error.code : "INTERNAL";
    await audit.write({ ...who, action: "refused", why: "", detail: { action, record: number, code } });
    throw error;
  }
}

/** Replaces payloads and long values by their digests. */
function briefOf(asked: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = Object.entries(asked).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    given.map(([name, value]) => {
      if (isBrief(name, value)) return [name, value];
      return [name, `sha256:${digestOf(typeof value === "string" ? value : JSON.stringify(value))}`];
    }),
  );
}

function isBrief(name: string, value: unknown): boolean {
  if (name.startsWith("payload")) return false;
  if (typeof value === "object" && value !== null && !namesOrNumbers.safeParse(value).success) return false;
  return (typeof value === "string" ? value : JSON.stringify(value)).length <= TEXT_CHARS_MAX;
}

/** Of an API key: teams that it may use, and quotas. */
const namesOrNumbers = z.union([z.array(z.string()), z.record(z.string(), z.number())]);

/**
 * Adds a line to the ward's audit, where who did what is looked for; decisions on cases the store audits by itself.
 * @param did.fingerprint - The group that it was done with, for that group's own audit.
 */
export async function auditAction(
  { cases }: Store,
  did: Pick<AuditEntry, "by" | "action" | "why"> & Partial<AuditEntry> & { readonly fingerprint?: string },
): Promise<void> {
  const { fingerprint, why, ...said } = did;
  const entry = { case_id: "", at: timestamp(), detail: {}, ...said, why: why.slice(0, WHY_CHARS_MAX) };
  await (fingerprint === undefined ? cases.note(entry) : cases.groups.note(fingerprint, entry));
}
