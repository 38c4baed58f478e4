import { z } from "zod";
import { timestamp } from "#shared/clock";
import { digestOf } from "#shared/envelope/seals";
import { defineError } from "#shared/errors";
import { readJson } from "#shared/json";
import type { RecordList } from "#shared/store/people";

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

/** An action of a person, to be recorded in the audit log. */
export type Deed = Omit<PeopleRecord, "number" | "previous" | "at">;

/** Maximum tries against concurrent writers. */
const TRIES_MAX = 100;

/**
 * Appends a record behind the last one. Where the last one's head is gone or cannot be read, the numbers begin anew,
 * and the gap shows.
 *
 * @returns The new head.
 * @throws {RecordsBusyError} Others wrote first, every time.
 */
export async function appendRecord(list: RecordList, deed: Deed): Promise<PeopleHead> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const from = await list.head();
    const { count, digest, first } = readHead(from ?? "") ?? { count: 0, digest: "", first: 1 };
    const number = count + 1;
    const { by, person, action, why, detail } = deed;
    const at = timestamp();
    const record = JSON.stringify({ number, previous: digest, at, by, person, action, why, detail });
    const next = {
      count: number,
      digest: digestOf(record),
      first: Math.max(first, number - list.lengthMax + 1),
    };
    if (await list.append({ from, record, head: JSON.stringify(next) })) return next;
  }
  throw new RecordsBusyError();
}

/** Concurrent writers won every try. */
class RecordsBusyError extends defineError({
  code: "PEOPLE_RECORDS_BUSY",
  failureClass: "transient",
  message: "What was to be done could not be written down: other consoles wrote first, every time.",
  remedy: "Try again.",
}) {}
