import { timestamp } from "#shared/clock";
import { digestOf, signRecord } from "#shared/envelope/seals";
import type { Keyring } from "#shared/envelope/keys";
import type { RecordList } from "#shared/store";
import { RecordsBusyError } from "./errors.ts";
import { openHead, PURPOSE } from "./record.ts";
import type { KnownHead, PeopleHead, PeopleRecord } from "./record.ts";

/** An action of a person, to be recorded in the audit log. */
export type Deed = Omit<PeopleRecord, "number" | "previous" | "at">;

/** Maximum tries against concurrent writers. */
const TRIES_MAX = 100;

/**
 * Appends a record behind the last one, signed. Where the last one's head is gone, older than what this process
 * remembers, or not to be believed, the record is written behind the one that is remembered, so that the gap shows
 * for ever.
 *
 * @param how.remembered - The last record that this process knows of; null for none.
 * @returns The new head.
 * @throws {SigningKeyMissingError} This process has no key to sign with.
 * @throws {RecordsBusyError} Others wrote first, every time.
 */
export async function appendRecord(
  list: RecordList,
  deed: Deed,
  how: { readonly keyring: Keyring; readonly remembered: KnownHead | null },
): Promise<PeopleHead> {
  const { keyring, remembered } = how;
  const key = keyring.signing("console", "ward");
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const from = await list.head();
    const { count, digest, first } = lastOf(from, { keyring, remembered });
    const number = count + 1;
    const { by, person, action, why, detail } = deed;
    const said = { number, previous: digest, at: timestamp(), by, person, action, why, detail };
    const record = JSON.stringify(signRecord(said, { key, purpose: PURPOSE.record }));
    const next = {
      count: number,
      digest: digestOf(record),
      first: Math.max(first, number - list.lengthMax + 1),
    };
    const head = JSON.stringify(signRecord(next, { key, purpose: PURPOSE.head }));
    if (await list.append({ from, record, head })) return next;
  }
  throw new RecordsBusyError();
}

function lastOf(
  text: string | null,
  { keyring, remembered }: { readonly keyring: Keyring; readonly remembered: KnownHead | null },
): PeopleHead {
  const opened = text === null ? null : openHead(text, keyring);
  const head = opened !== null && "signed" in opened ? opened.signed : { count: 0, digest: "", first: 1 };
  return remembered === null || head.count >= remembered.count ? head : { ...remembered, first: head.first };
}
