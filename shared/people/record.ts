import { z } from "zod";
import { digestOf, verifyRecord } from "#shared/envelope/seals";
import type { Keyring } from "#shared/envelope/keys";
import { SutureError } from "#shared/errors";
import { readJson } from "#shared/store";

/** What a signature in this room is for. */
export const PURPOSE = { record: "people-record", head: "people-head" } as const;

/** Whose signature counts, and on which edge. */
const SIGNED = { from: ["console"], to: "ward" } as const;

const deedFields = {
  /** RFC 3339, UTC. */
  at: z.string(),
  /** Name of the API key or the session. */
  by: z.string(),
  /** Who that is, whatever key they used; null where nobody can say. */
  person: z.string().nullable(),
  action: z.string(),
  why: z.string(),
  /** What it was done with. No payload: its digest. */
  detail: z.record(z.string(), z.unknown()),
};

const recordSchema = z.object({
  /** From 1, without a gap. */
  number: z.int().min(1),
  /** Digest of the record before, as it is stored; "" for the first. */
  previous: z.string(),
  ...deedFields,
});

const headSchema = z.object({
  /** Number of the last record. */
  count: z.int().min(0),
  /** Digest of the last record, as it is stored. */
  digest: z.string(),
  /** Number of the oldest record that is kept. */
  first: z.int().min(1),
});

/** One thing that a person did, or was refused. */
export type PeopleRecord = z.output<typeof recordSchema>;

/** What is said of the last record, signed: what is missing at either end shows by it. */
export type PeopleHead = z.output<typeof headSchema>;

/** Up to where somebody knows the records: what a later head is held against. */
export type KnownHead = Pick<PeopleHead, "count" | "digest">;

/** Something read that was signed, or why it is not to be believed, for people. */
export type Opened<Signed> = { readonly signed: Signed } | { readonly problem: string };

export function openRecord(text: string, keyring: Keyring): Opened<PeopleRecord> {
  return openSigned(text, { keyring, purpose: PURPOSE.record, schema: recordSchema });
}

export function openHead(text: string, keyring: Keyring): Opened<PeopleHead> {
  return openSigned(text, { keyring, purpose: PURPOSE.head, schema: headSchema });
}

/** SHA-256 of a record as it is stored, hex. */
export const digestOfRecord = digestOf;

/** Reads what a console signed. */
export function openSigned<Signed>(
  text: string,
  how: { readonly keyring: Keyring; readonly purpose: string; readonly schema: z.ZodType<Signed> },
): Opened<Signed> {
  try {
    const said = verifyRecord(readJson(text), { ...how, from: SIGNED.from, to: SIGNED.to });
    const parsed = how.schema.safeParse(said);
    return parsed.success ? { signed: parsed.data } : { problem: "it is of another form" };
  } catch (error) {
    if (!(error instanceof SutureError)) throw error;
    const isForeign = error.code === "ENVELOPE_KEY_UNKNOWN";
    return { problem: isForeign ? "it is signed with a key that is not known here" : "it was edited" };
  }
}
