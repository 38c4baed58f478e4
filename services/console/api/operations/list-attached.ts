import type { JobCase } from "#shared/bullmq-ward";
import { now } from "#shared/clock";
import { shownDataOf } from "../../attached/job-data.ts";
import { viewQueue } from "../../attached/view-queue.ts";
import { RequestInvalidError } from "#shared/http";
import type { Handler } from "../operation.ts";

/** Bytes of data in one page, at most, beside the last case. */
const PAGE_BYTES_MAX = 2 * 1024 * 1024;
/** Time to look for a group's cases in one request, in ms; the next page goes on where it ended. */
const LOOK_MS_MAX = 1000;

export const listAttached: Handler<"listAttached"> = async ({ console, caller }) => ({
  queues: await Promise.all(
    console.attached.list().map((queue) => viewQueue(queue, caller.role !== "viewer")),
  ),
});

export const listAttachedCases: Handler<"listAttachedCases"> = async ({ console, params, query }) => {
  const { attached } = console;
  const from = query.after === undefined ? null : readPlace(query.after);
  return attached.of(params.queue).link.use(async (ward) => {
    const [cases, giveUpMs]: [ReturnType<typeof view>[], number] = [[], now() + LOOK_MS_MAX];
    let bytes = 0;
    const view = (jobCase: JobCase) => {
      const { failedReason, stacktrace } = ward.describe(jobCase);
      return {
        job: jobCase.id,
        name: jobCase.name,
        seal: jobCase.seal,
        group: query.group,
        version: attached.versionOf(jobCase),
        data: shownDataOf(ward, jobCase),
        bytes: jobCase.bytes,
        failed_reason: failedReason,
        stacktrace,
        attempts: jobCase.attemptsMade,
        added_ms: jobCase.addedAtMs,
        failed_ms: jobCase.failedAtMs,
      };
    };
    for await (const jobCase of ward.cases(from)) {
      if (ward.groupOf(jobCase) === query.group) {
        cases.push(view(jobCase));
        bytes += jobCase.bytes;
      }
      if (cases.length === query.limit || bytes > PAGE_BYTES_MAX || now() > giveUpMs)
        return { cases, next: JSON.stringify([jobCase.failedAtMs, jobCase.id]) };
    }
    return { cases, next: null };
  });
};

/** What was done to jobs, by this console or by any other ward beside the queue. */
export const listAttachedAudit: Handler<"listAttachedAudit"> = async ({ console, params, query }) => {
  const entries = await console.attached.of(params.queue).link.use((ward) => ward.newestAudit(query.limit));
  return {
    audit: entries.map(({ at, by = "", deed = "", job = "", batch = "" }) => ({
      at_ms: Number(at ?? 0),
      by,
      deed,
      job,
      batch,
    })),
  };
};

function readPlace(text: string): { readonly failedAtMs: number; readonly id: string } {
  try {
    const [failedAtMs, id, ...more]: unknown[] = JSON.parse(text);
    if (typeof failedAtMs === "number" && typeof id === "string" && more.length === 0)
      return { failedAtMs, id };
  } catch {
    // It is refused below.
  }
  throw new RequestInvalidError([
    { path: "/query/after", code: "invalid_value", message: "not the `next` of a page" },
  ]);
}
