import { z } from "zod";
import { digestOf, verifyRecord } from "#shared/envelope/seals";
import type { Keyring } from "#shared/envelope/keys";
import { SutureError } from "#shared/errors";
import { readJson } from "#shared/store";

/** Purposes of signatures in this room. */
export const PURPOSE = { record: "people-record", head: "people-head" } as const;

/** Accepted signer and edge. */
const SIGNED = { from: ["console"], to: "ward" } as const;

const deedFields = {
  /** RFC 3339, UTC. */
  at: z.string(),
  /** Name of the API key or the session. */
  by: z.string(),
  /** The person behind the key; null when unknown. */
  person: z.string().nullable(),
  action: z.string(),
  why: z.string(),
  /** Details of the action. Contains no payload, only its digest. */
  detail: z.record(z.string(), z.unknown()),
};

/** One audit record: an action of a person, or its refusal. */
export const peopleRecordSchema = z.object({
  /** From 1, without a gap. */
  number: z.int().min(1),
  /** Digest of the previous stored record; "" for the first. */
  previous: z.string(),
  ...deedFields,
});
export type PeopleRecord = z.output<typeof peopleRecordSchema>;

const headSchema = z.object({
  /** Number of the last record. */
  count: z.int().min(0),
  /** Digest of the last stored record. */
  digest: z.string(),
  /** Number of the oldest record kept. */
  first: z.int().min(1),
});

/** Signed head of the audit log; reveals records missing at either end. */
export type PeopleHead = z.output<typeof headSchema>;

/** A remembered position in the log, with which later heads are compared. */
export type KnownHead = Pick<PeopleHead, "count" | "digest">;

/** A verified value, or why it cannot be verified, for people. */
export type Opened<Signed> = { readonly signed: Signed } | { readonly problem: string };

export function openRecord(text: string, keyring: Keyring): Opened<PeopleRecord> {
  return openSigned(text, { keyring, purpose: PURPOSE.record, schema: peopleRecordSchema });
}

export function openHead(text: string, keyring: Keyring): Opened<PeopleHead> {
  return openSigned(text, { keyring, purpose: PURPOSE.head, schema: headSchema });
}

/** SHA-256 of a record as it is stored, hex. */
export const digestOfRecord = digestOf;

/** Verifies and parses a value that a console signed. */
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
