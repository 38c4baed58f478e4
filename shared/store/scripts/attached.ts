import { Script } from "../script.ts";
import { kindsOf } from "../script-arguments.ts";
import { listOf, number, oneOf, orNull, record, text, variants } from "../script-reply.ts";
import type { ReplyReader } from "../script-reply.ts";

const parts = ["read-foreign.lua"];

/** Reasons why a failed job is not edited or sent. */
const HELD = oneOf([
  // It is no longer in the failed set: somebody else has retried or removed it.
  "not_failed",
  "gone",
  // Its data is not what was read.
  "changed",
  // Its key holds no hash, or BullMQ cannot read what it holds.
  "unreadable",
  // Another instance is sending it.
  "under_way",
  "redrives_used",
  // Another job holds its deduplication id.
  "deduplication_in_use",
  // The queue is paused by an older BullMQ, whose resume drops what this one's retry puts into the line meanwhile.
  "paused",
  // Its parent in a flow was removed, or goes on or has completed without it.
  "parent_gone",
  "parent_done",
]);

/** Other programs write these numbers: what is none is null. */
const numberIfAny: ReplyReader<number | null> = (reply) => number(reply) ?? null;

/** Entries of a queue's audit stream, about. */
const auditMax = 100_000;

export const readFailed = new Script("read-failed.lua", {
  keys: ["failed"],
  // `fromScore`: score of the job that was read last, and the ids of those read with it in hex; null at the start.
  args: kindsOf("prefix fromScore:text? toScore count:number after:texts"),
  constants: {
    // Data of more bytes is not read. One page stops at about this size too, so that Redis is not blocked for long.
    dataBytesMax: 512 * 1024,
    pageBytesMax: 256 * 1024,
    fieldBytesMax: 16 * 1024,
  },
  reply: listOf(
    record({
      id: text,
      idHex: text,
      score: text,
      // Redis' type of the job's key: `hash`, or `none` if only the id is left.
      type: text,
      bytes: number,
      data: orNull(text),
      version: text,
      opts: orNull(text),
      parent: orNull(text),
      name: orNull(text),
      failedReason: orNull(text),
      stacktrace: orNull(text),
      deduplicationId: orNull(text),
      attemptsMade: numberIfAny,
      attemptsStarted: numberIfAny,
      timestamp: orNull(text),
    }),
  ),
});

export const editFailed = new Script("edit-failed.lua", {
  parts,
  keys: ["failed", "job", "record", "records", "unfinished", "audit"],
  // `version`: SHA-1 of the data as read; tells changes, protects nothing. `engineMajor`: Major release of the
  // BullMQ that retries, if the queue's own may be another one; else 0.
  args: kindsOf(
    "id prefix version replaces:flag newData sends:flag redrivesMax:number engineMajor:number by batch",
    "nowMs:number",
  ),
  constants: { auditMax },
  reply: variants({
    held: { reason: HELD },
    written: { version: text, parent: oneOf(["none", "waiting", "failed"]) },
  }),
});

export const finishRedrive = new Script("finish-redrive.lua", {
  parts,
  keys: ["failed", "job", "record", "unfinished"],
  // `claimedBeforeMs`: a later redrive is another instance's. `isRefused`: BullMQ refuses to retry the job.
  args: kindsOf("id nowMs:number claimedBeforeMs:number isRefused:flag"),
  reply: oneOf(["finished", "retry", "claimed"]),
});

export const undoEdit = new Script("undo-edit.lua", {
  parts,
  keys: ["failed", "job", "record", "audit"],
  args: { id: "text", by: "text", nowMs: "number" },
  constants: { auditMax },
  reply: oneOf(["undone", "nothing_kept", "not_failed", "gone", "under_way", "changed"]),
});

export const forgetRecords = new Script("forget-records.lua", {
  keys: ["records", "unfinished"],
  args: { prefix: "text", count: "number", nowMs: "number" },
  reply: number,
});
