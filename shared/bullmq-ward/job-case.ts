import { createHash } from "node:crypto";
import type { FailedRow } from "#shared/store/attached";

/** A failed job of a BullMQ queue. `unsealed`: nothing vouches for its sender, and it is never a signed message. */
export interface JobCase {
  readonly seal: "unsealed";
  readonly queue: string;
  readonly id: string;
  readonly name: string;
  /** The data's JSON text as it is in Redis; null if it is missing, over 512 KiB or not UTF-8. */
  readonly data: string | null;
  /** Size of the data in bytes. */
  readonly bytes: number;
  /** SHA-1 of the data, which tells whether it was changed since. Empty if it was not read. */
  readonly version: string;
  /** SHA-256 of `data`, for exports and records; null without it. */
  readonly digest: string | null;
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

/** Returns the case of a failed job; null if only its id was left. */
export function toCase(queue: string, row: FailedRow): JobCase | null {
  if (row.name === null) return null;
  const isText = row.data !== null && createHash("sha1").update(row.data).digest("hex") === row.version;
  const data = isText ? row.data : null;
  return {
    seal: "unsealed",
    queue,
    id: row.id,
    name: row.name,
    data,
    bytes: row.bytes,
    version: row.version,
    digest: data === null ? null : createHash("sha256").update(data).digest("hex"),
    failedReason: row.failedReason ?? "",
    stacktrace: row.stacktrace ?? "[]",
    options: row.opts ?? "{}",
    parent: row.parent,
    deduplicationId: row.deduplicationId,
    attemptsMade: row.attemptsMade ?? 0,
    attemptsStarted: row.attemptsStarted ?? 0,
    addedAtMs: row.timestamp,
    failedAtMs: Number(row.score),
  };
}
