import { timestamp } from "#shared/clock";
import type { RecordList } from "#shared/store";
import { RecordsBusyError } from "./errors.ts";
import { digestOfRecord, readHead } from "./record.ts";
import type { PeopleHead, PeopleRecord } from "./record.ts";

/** An action of a person, to be recorded in the audit log. */
export type Deed = Omit<PeopleRecord, "number" | "previous" | "at">;

/** Maximum tries against concurrent writers. */
const TRIES_MAX = 100;

/**
 * Appends a record behind the last one. Without a readable head the numbers begin anew, and the gap shows.
 * @returns The new head. @throws {RecordsBusyError} Others wrote first, every time.
 */
export async function appendRecord(list: RecordList, deed: Deed): Promise<PeopleHead> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const from = await list.head();
    const { count, digest, first } = readHead(from ?? "") ?? { count: 0, digest: "", first: 1 };
    const number = count + 1;
    const { by, person, action, why, detail } = deed;
    const said = { number, previous: digest, at: timestamp(), by, person, action, why, detail };
    const record = JSON.stringify(said);
    const next = {
      count: number,
      digest: digestOfRecord(record),
      first: Math.max(first, number - list.lengthMax + 1),
    };
    if (await list.append({ from, record, head: JSON.stringify(next) })) return next;
  }
  throw new RecordsBusyError();
}
