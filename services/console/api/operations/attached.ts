import { z } from "zod";
import { VIEWERS } from "#shared/api";
import type { AnswerOf, ConsoleApi } from "#shared/api";
import type { CaseGroup } from "#shared/bullmq-ward";
import { now, timestamp } from "#shared/clock";
import { SutureError } from "#shared/errors";
import { RequestInvalidError } from "#shared/http";
import { readJson } from "#shared/json";
import { toGroup } from "#shared/store/cases";
import { attachedId } from "../../attached/read-targets.ts";
import { openAttached } from "../../attached/attached-queues.ts";
import type { AttachedQueue } from "../../attached/attached-queues.ts";
import { judgeData, proposalFor, readJob, refusalOf, summaryOf, viewJob } from "../../attached/show-job.ts";
import type { CaseSummary, JobAt } from "../../attached/show-job.ts";
import type { CallOf, Handler } from "../../console.ts";
import { payloadRefused, payloadTextFrom } from "./cases.ts";

/** Time to look for a group's cases in one request, in ms; the next page goes on where it ended. */
const LOOK_MS_MAX = 1000;
/** Lines of the queue's own audit that are looked through for one job, and those that are shown with a group. */
const AUDIT_MAX = 200;
const AUDIT_SHOWN = 20;

export const listSources: Handler<"listSources"> = async ({ console }) => ({
  sources: await Promise.all(
    console.attached.map(async (queue) => ({
      source: queue.name,
      seal: "unsealed" as const,
      has_contract: queue.contract !== null,
      ...(await queue
        .use(async (ward) => ({ problem: null, counts: await ward.counts() }))
        .catch((error: unknown) => {
          if (!(error instanceof SutureError)) throw error;
          return { problem: `${error.message} ${error.remedy}`, counts: null };
        })),
    })),
  ),
});

export const listGroups: Handler<"listGroups"> = async (call) => {
  const { offset, limit } = call.query;
  const { queue } = openAttached(call, VIEWERS);
  const { groups, isComplete } = await queue.survey.look();
  const page = groups.slice(offset, offset + limit).map((group) => viewGroup(queue, group.id, group));
  return { groups: page, total: groups.length, is_cut: !isComplete };
};

/** A group whose jobs have all left is empty: nothing tells it from one that never was. */
export const showGroup: Handler<"showGroup"> = async (call) => {
  const { queue, id } = openAttached(call, VIEWERS);
  const { groups } = await queue.survey.look();
  const audit = call.caller.role === "viewer" ? [] : await auditOf(queue, AUDIT_SHOWN);
  const found = groups.find((group) => group.id === id);
  return { ...viewGroup(queue, id, found), recipes: [], audit };
};

type GroupView = AnswerOf<ConsoleApi["listGroups"]>["groups"][number];

/** Every failed job waits for a person, and nobody counts what the queue did before. */
function viewGroup({ name }: AttachedQueue, id: string, group: Partial<CaseGroup> = {}): GroupView {
  const { count = 0, faults = [], error = "", jobName = "" } = group;
  return {
    ...toGroup(attachedId(name, id), { fields: {}, rest: { until_ms: null, why: "", waiting: 0 } }),
    cause: [...faults, error].filter((part) => part !== ""),
    count,
    open: count,
    quarantined: count,
    attention: count === 0 ? "quiet" : "waiting",
    first_seen_ms: group.firstFailedAtMs ?? 0,
    last_seen_ms: group.lastFailedAtMs ?? 0,
    producer: jobName,
    trend: [],
  };
}

/** Returns the last changes of jobs, by this console or by any other ward beside the queue. */
async function auditOf(queue: AttachedQueue, count: number) {
  const entries = await queue.use((ward) => ward.newestAudit(count));
  return entries.map(({ at, by = "", deed = "", job = "", batch = "" }) => ({
    case_id: attachedId(queue.name, job),
    at: timestamp(Number(at ?? 0)),
    by,
    action: deed,
    why: "",
    detail: batch === "" ? {} : { batch },
  }));
}

export const listCases: Handler<"listCases"> = async (call) => {
  const { queue, id } = openAttached(call);
  const { query } = call;
  const from = query.cursor === undefined ? null : readPlace(query.cursor);
  const giveUpMs = now() + LOOK_MS_MAX;
  return queue.use(async (ward) => {
    const { failed: total } = await ward.counts();
    const cases: CaseSummary[] = [];
    let searched = 0;
    const isWanted = (one: CaseSummary): boolean =>
      (query.status ?? one.status) === one.status &&
      `${one.message_id}\n${one.diagnosis}`.toLowerCase().includes((query.text ?? "").toLowerCase());
    for await (const jobCase of ward.cases(from)) {
      searched += 1;
      const summary = ward.groupOf(jobCase) === id ? summaryOf({ queue, ward, jobCase }) : null;
      if (summary !== null && isWanted(summary)) cases.push(summary);
      if (cases.length === query.limit || now() > giveUpMs)
        return { cases, searched, total, cursor: JSON.stringify([jobCase.failedAtMs, jobCase.id]) };
    }
    return { cases, searched, total, cursor: null };
  });
};

const placeForm = z.tuple([z.number(), z.string()]);

function readPlace(text: string): { readonly failedAtMs: number; readonly id: string } {
  const { data } = placeForm.safeParse(readJson(text));
  if (data !== undefined) return { failedAtMs: data[0], id: data[1] };
  const fault = { path: "/query/cursor", code: "invalid_value", message: "not the `cursor` of a page" };
  throw new RequestInvalidError([fault]);
}

/**
 * Does something with the job that a request is about. @param change - Of a request that changes it: the version that
 * its caller has read. Default: it only looks.
 */
async function onJob<Result>(
  call: Parameters<typeof openAttached>[0],
  work: (at: JobAt) => Promise<Result>,
  change?: { readonly version?: number },
): Promise<Result> {
  const { queue, id } = openAttached(call);
  if (change !== undefined) queue.survey.expire();
  return queue.use(async (ward) => work(await readJob(queue, ward, { id, ...change })));
}

export const showCase: Handler<"showCase"> = (call) =>
  onJob(call, async (at) => {
    const audit = await auditOf(at.queue, AUDIT_MAX);
    return viewJob(
      at,
      audit.filter(({ case_id }) => case_id === call.params.case_id),
    );
  });

export const checkPayload: Handler<"checkPayload"> = (call) =>
  onJob(call, async (at) => {
    const { issues } = await judgeData(at, payloadTextFrom(call.body) ?? "");
    return { acceptable: issues.length === 0, issues, second_person: [], diff: [] };
  });

/** Sends a job back, as it is or with new data. */
export const releaseCase: Handler<"releaseCase"> = (call) =>
  sendBack(call, async (at) => {
    const typed = payloadTextFrom(call.body);
    if (typed === undefined) return {};
    const { data, issues } = await judgeData(at, typed);
    if (issues.length > 0) throw payloadRefused(issues);
    return { data };
  });

/** Sends a job back with its proved repair. */
export const operateCase: Handler<"operateCase"> = (call) =>
  sendBack(call, async (at) => {
    const proposal = await proposalFor(at);
    if (proposal.kind === "none") throw refusalOf("no_repair");
    return { data: proposal.data };
  });

function sendBack(
  call: CallOf<"releaseCase" | "operateCase">,
  prepare: (at: JobAt) => Promise<{ readonly data?: string }>,
): Promise<CaseSummary> {
  const { accepts_effects: acceptsEffects = false } = call.body;
  const send = async (at: JobAt): Promise<CaseSummary> => {
    const decision = { by: call.caller.name, acceptsEffects, ...(await prepare(at)) };
    const sent = await at.ward.redrive(at.jobCase, decision);
    if (sent.kind === "held") throw refusalOf(sent.reason);
    const isStuck = sent.parent === "failed";
    const diagnosis = isStuck ? "Its flow's parent is failed: retry it after this job." : null;
    return { ...summaryOf(at), status: "released", diagnosis };
  };
  return onJob(call, send, call.body);
}

/** Writes back the data that a failed job had before its edits. */
export const restoreCase: Handler<"restoreCase"> = (call) => {
  const undo = async ({ queue, ward, jobCase: { id } }: JobAt): Promise<CaseSummary> => {
    const undone = await ward.undo(id, call.caller.name);
    if (undone !== "undone") throw refusalOf(undone);
    return summaryOf(await readJob(queue, ward, { id }));
  };
  return onJob(call, undo, call.body);
};
