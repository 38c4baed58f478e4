import type { JobCase } from "#shared/bullmq-ward";
import { now, sleep } from "#shared/clock";
import { RequestInvalidError } from "#shared/http";
import {
  acceptedData,
  judgeData,
  outcomeOf,
  readCase,
  refusalOf,
  shownDataOf,
} from "../../attached/decide-job.ts";
import { viewQueue, viewWork } from "../../attached/view-queue.ts";
import type { Handler } from "../../console.ts";

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

export const checkAttachedData: Handler<"checkAttachedData"> = async ({ console, params, body }) => {
  const { attached } = console;
  return attached.of(params.queue).link.use(async (ward) => {
    const jobCase = await readCase(attached, ward, { job: body.job, version: null });
    const { issues } = judgeData(ward, jobCase, body.payload_text);
    return {
      acceptable: issues.length === 0,
      issues: issues.map(({ path, code, message }) => ({ path, code, message })),
    };
  });
};

export const editAttachedJob: Handler<"editAttachedJob"> = async ({ console, params, body, caller }) => {
  const { attached } = console;
  const { link, survey } = attached.of(params.queue);
  survey.expire();
  return link.use(async (ward) => {
    const jobCase = await readCase(attached, ward, body);
    const data = acceptedData(ward, jobCase, body.payload_text);
    return outcomeOf(jobCase.id, await ward.edit(jobCase, data, caller.name));
  });
};

export const redriveAttachedJob: Handler<"redriveAttachedJob"> = async ({
  console,
  params,
  body,
  caller,
}) => {
  const { attached } = console;
  const { link, survey } = attached.of(params.queue);
  survey.expire();
  return link.use(async (ward) => {
    const jobCase = await readCase(attached, ward, body);
    const { payload_text: typed, accepts_effects: acceptsEffects } = body;
    const data = typed === undefined ? {} : { data: acceptedData(ward, jobCase, typed) };
    const decision = { ...data, by: caller.name, acceptsEffects };
    return outcomeOf(jobCase.id, await ward.redrive(jobCase, decision));
  });
};

export const undoAttachedEdit: Handler<"undoAttachedEdit"> = async ({ console, params, body, caller }) => {
  const { link, survey } = console.attached.of(params.queue);
  survey.expire();
  const undone = await link.use((ward) => ward.undo(body.job, caller.name));
  if (undone !== "undone") throw refusalOf(undone);
  return { job: body.job };
};

/** How long a request waits for work on a group, in ms: most of it has ended by then. */
const WAIT_MS = 1000;
/** Time for the undo of a batch, in ms: it goes through the whole audit of the queue. */
const UNDO_MS_MAX = 60_000;

export const applyToAttachedGroup: Handler<"applyToAttachedGroup"> = async (call) => {
  const { console, params, body, caller } = call;
  const { link, survey, work } = console.attached.of(params.queue);
  // Before it is under way: a queue that is away is an error of this request.
  await link.use((ward) => ward.counts());
  const { group, repair, canary, is_dry_run: isDryRun, accepts_effects: acceptsEffects } = body;
  const ended = work.start(group, { by: caller.name, repair, isDryRun, canary, acceptsEffects });
  await Promise.race([ended.then(() => survey.expire()), sleep(WAIT_MS)]);
  return viewWork(work.begun(), true);
};

export const stopAttachedApply: Handler<"stopAttachedApply"> = async ({ console, params }) => {
  const { survey, work } = console.attached.of(params.queue);
  const stopped = await work.stop();
  survey.expire();
  return viewWork(stopped, true);
};

export const undoAttachedBatch: Handler<"undoAttachedBatch"> = async ({ console, params, body, caller }) => {
  const { link, survey } = console.attached.of(params.queue);
  survey.expire();
  const outcomes = await link.use((ward) => ward.undoBatch(body.batch, caller.name), UNDO_MS_MAX);
  return { outcomes: Object.fromEntries(Object.entries(outcomes)) };
};
