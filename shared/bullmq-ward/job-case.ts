import { createHash } from "node:crypto";
import { toFailedAtMs } from "#shared/store/attached";
import type { FailedRow } from "#shared/store/attached";

/** A failed job of a BullMQ queue. `unsealed`: nothing vouches for its sender, and it is never a signed message. */
export interface JobCase {
  readonly seal: "unsealed";
  readonly queue: string;
  readonly id: string;
  /** Empty if the job's key holds none. */
  readonly name: string;
  /** The data's JSON text as it is in Redis; null if it is missing, over 512 KiB or not UTF-8. */
  readonly data: string | null;
  /** Size of the data in bytes. */
  readonly bytes: number;
  /** SHA-1 of the data, which tells whether it was changed since. Empty if it was not read. */
  readonly version: string;
  /** SHA-256 of `data`, for exports and records; null without it. */
  readonly digest: string | null;
  /** BullMQ's error; or, of an entry without a job's hash, what its key holds instead. */
  readonly failedReason: string;
  /** BullMQ's stack traces as JSON text, cut at 16 KiB. */
  readonly stacktrace: string;
  /** BullMQ's options as JSON text. */
  readonly options: string;
  /** The flow's parent as JSON text; null for none. */
  readonly parent: string | null;
  readonly deduplicationId: string | null;
  readonly attemptsMade: number;
  readonly attemptsStarted: number;
  /** Time of adding it and of its failure, in ms since the epoch. */
  readonly addedAtMs: number | null;
  readonly failedAtMs: number;
}

/** Returns the case of an entry of the failed set, whatever its key holds. */
export function toCase(queue: string, row: FailedRow): JobCase {
  const isJob = row.name !== null;
  const isText =
    isJob && row.data !== null && createHash("sha1").update(row.data).digest("hex") === row.version;
  const data = isText ? row.data : null;
  return {
    seal: "unsealed",
    queue,
    id: row.id,
    name: row.name ?? "",
    data,
    bytes: row.bytes,
    version: isJob ? row.version : "",
    digest: data === null ? null : createHash("sha256").update(data).digest("hex"),
    failedReason: row.failedReason ?? reasonOf(row),
    stacktrace: row.stacktrace ?? "[]",
    options: row.opts ?? "{}",
    parent: row.parent,
    deduplicationId: row.deduplicationId,
    attemptsMade: row.attemptsMade ?? 0,
    attemptsStarted: row.attemptsStarted ?? 0,
    addedAtMs: toTime(row.timestamp),
    failedAtMs: toFailedAtMs(row.score),
  };
}

function reasonOf({ type, name }: FailedRow): string {
  if (type === "none") return "Only its id is left in the failed set; the job itself was deleted.";
  if (type !== "hash") return `Its key holds a Redis value of type ${type}, not a job.`;
  return name === null ? "Its key holds fields of another kind, not a job." : "";
}

function toTime(text: string | null): number | null {
  const ms = text === null || text === "" ? Number.NaN : Number(text);
  return Number.isFinite(ms) ? ms : null;
}
