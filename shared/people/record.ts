import { z } from "zod";
import { digestOf } from "#shared/envelope/seals";
import { readJson } from "#shared/store";

/** One audit record: an action of a person, or its refusal. */
export const peopleRecordSchema = z.object({
  /** From 1, without a gap. */
  number: z.int().min(1),
  /** Digest of the previous stored record; "" for the first. */
  previous: z.string(),
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

/** Head of the audit log; reveals records missing at either end. */
export type PeopleHead = z.output<typeof headSchema>;

/** A noted position in the log, with which later heads are compared. */
export type KnownHead = Pick<PeopleHead, "count" | "digest">;

/** Parses a stored record; null if it is none. */
export function readRecord(text: string): PeopleRecord | null {
  return peopleRecordSchema.safeParse(readJson(text)).data ?? null;
}

/** Parses a stored head; null if it is none. */
export function readHead(text: string): PeopleHead | null {
  return headSchema.safeParse(readJson(text)).data ?? null;
}

/** SHA-256 of a record as it is stored, hex. */
export const digestOfRecord = digestOf;
