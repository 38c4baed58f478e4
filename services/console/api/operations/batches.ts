import { OPERATORS, VIEWERS } from "#shared/api";
import type { AnswerOf, ConsoleApi } from "#shared/api";
import { AbsentError } from "#shared/http";
import type { AuditEntry } from "#shared/store/cases";
import { toWardCase } from "#shared/ward";
import { hasEnded, lengthOf } from "#shared/ward/batches";
import type { Batch, BatchRunner } from "#shared/ward/batches";
import { groupBatches } from "#shared/ward/decisions";
import { attachedId } from "../../attached/read-targets.ts";
import { findAttached, openAttached } from "../../attached/attached-queues.ts";
import { auditAction } from "../../audit/audit-changes.ts";
import type { Console, Handler } from "../../console.ts";
import { surgeryLimitsOf } from "../../live/measure.ts";
import { hasGroup } from "../guards/confine-to-teams.ts";

/** Plans one decision for all cases of a group. It begins with a dry run; `startApply` then starts it. */
export const applyToGroup: Handler<"applyToGroup"> = async (call) => {
  const { console, params, body, caller } = call;
  const work = openWork(call, params.fingerprint);
  if (!work.isAttached && (await console.store.cases.groups.find(work.id)) === null)
    throw new AbsentError("group");
  const who = { by: caller.name, person: caller.person };
  const batch = await work.batches.plan({ ...body, ...who, fingerprint: work.id });
  const { batch_id, fingerprint, decision, total } = batch;
  const detail = { batch_id, fingerprint, decision, total };
  return work.answer(batch, { action: "group.plan", why: body.why, detail });
};

/** Starts what was planned, or goes on after the canary or a pause. */
export const startApply = steer("start");

/** Pauses it: what was decided stands, the rest waits for a person. */
export const pauseApply = steer("pause");

/** Stops it: what was decided stands, nothing more is. */
export const stopApply = steer("stop");

function steer(action: "start" | "pause" | "stop"): Handler<"startApply"> {
  return async (call) => {
    const { batch_id } = call.params;
    const work = openWork(call, batch_id);
    await work.find();
    const batch = await work.batches[action](work.id);
    return work.answer(batch, { action: `group.${action}`, why: call.body.why, detail: { batch_id } });
  };
}

/** Undoes work on a whole group. The answer is the work that restores its cases. */
export const undoApply: Handler<"undoApply"> = async (call) => {
  const { params, body, caller } = call;
  const work = openWork(call, params.batch_id);
  await work.find();
  const who = { by: caller.name, person: caller.person };
  const undo = await work.batches.undo({ batchId: work.id, ...who, why: body.why });
  const detail = { batch_id: undo.batch_id, undoes: params.batch_id, total: undo.total };
  return work.answer(undo, { action: "group.undo", why: body.why, detail });
};

/** Work on whole groups, the newest first. */
export const listApplies: Handler<"listApplies"> = async (call) => {
  const { console, caller, query } = call;
  const { batches, view, isAttached } = openWork(call, "", VIEWERS);
  const shown = await Promise.all((await batches.list()).map(view));
  return {
    applies: shown.filter(
      ({ fingerprint }) =>
        (query.fingerprint === undefined || fingerprint === query.fingerprint) &&
        (isAttached || caller.teams === null || hasGroup(console, fingerprint)),
    ),
  };
};

export const showApply: Handler<"showApply"> = async (call) => {
  const { find, view } = openWork(call, call.params.batch_id, VIEWERS);
  return view(await find());
};

/** Lists the cases of a piece of work on a group with their results, in the order in which they are decided. */
export const listApplyCases: Handler<"listApplyCases"> = async (call) => {
  const { batches, find, id, named } = openWork(call, call.params.batch_id);
  const { total } = await find();
  const cases = await batches.cases(id, call.query);
  return { cases: cases.map((one) => ({ ...one, case_id: named(one.case_id) })), total };
};

/** Opens the source that a request is about. @param subject - Group or batch among the ward's own. */
function openWork(
  call: Parameters<typeof openAttached>[0] & { readonly console: Console },
  subject: string,
  scopes = OPERATORS,
) {
  const { store } = call.console;
  const attached = findAttached(call) === null ? null : openAttached(call, scopes);
  const jobs = attached?.queue.batches;
  const batches: BatchRunner = jobs ?? groupBatches(store);
  const id = attached?.id ?? subject;
  const named = (own: string): string => (attached === null ? own : attachedId(attached.queue.name, own));
  const view = async (batch: Batch): Promise<AnswerOf<ConsoleApi["showApply"]>> => {
    const { person: _person, accepts_effects: _accepts, refusals: _refusals, ...shown } = batch;
    // Without values: some may be sensitive.
    const examples = jobs?.jobs.examplesOf(batch.batch_id).map((one) => ({
      case_id: named(one.id),
      changes: one.changes.map(({ op, path }) => `${op} ${path}`),
    }));
    return {
      ...shown,
      only_passing: batch.only_passing === "1",
      batch_id: named(batch.batch_id),
      fingerprint: named(batch.fingerprint),
      undoes: batch.undoes === null ? null : named(batch.undoes),
      problem: problemOf(batch),
      forecast: attached === null ? await forecast(call.console, batch) : NO_COST,
      ...(examples === undefined || call.caller.role === "viewer" ? {} : { examples }),
    };
  };
  /** @throws {AbsentError} */
  const find = async (): Promise<Batch> => {
    await jobs?.refresh(id);
    const batch = await batches.find(id);
    if (batch === null) throw new AbsentError("batch");
    return batch;
  };
  /** Shows what a batch has become. A queue has an audit of its own. */
  const answer = async (batch: Batch, did: Pick<AuditEntry, "action" | "why" | "detail">) => {
    const { fingerprint } = batch;
    if (attached === null) await auditAction(store, { ...did, by: call.caller.name, fingerprint });
    return view(batch);
  };
  return { batches, id, isAttached: attached !== null, named, view, find, answer };
}

const NO_COST = { likely_usd: 0, most_usd: 0 };
/** Cases of a group, the newest first, from which the cost of another one is taken. */
const SAMPLED = 100;

/** Returns what model calls for the cases still to be decided would cost, in USD. */
async function forecast(
  console: Console,
  batch: Batch,
): Promise<{ readonly likely_usd: number | null; readonly most_usd: number }> {
  const { decision, fingerprint, decided, refused, would_pass: passing } = batch;
  // Those that pass without a model are decided first.
  const unhealed = lengthOf(batch) - Math.max(passing, decided + refused);
  if (decision !== "operate" || unhealed <= 0 || hasEnded(batch)) return NO_COST;
  const limits = surgeryLimitsOf(console);
  const { groups } = console.store.cases;
  const [group, { cases }] = await Promise.all([
    groups.find(fingerprint),
    console.store.cases.list({ kind: "group", fingerprint }, { limit: SAMPLED }),
  ]);
  const costs = cases.map((one) => toWardCase(one).cost).filter((cost) => cost > 0);
  const left = Math.max(0, limits.cost_per_group - (group?.cost ?? 0));
  const most = Math.min(left, unhealed * limits.cost_per_case);
  const likely = (costs.reduce((sum, cost) => sum + cost, 0) / costs.length) * unhealed;
  return { likely_usd: costs.length === 0 ? null : Math.min(most, likely), most_usd: most };
}

/** Why cases were left alone; null if none were. */
function problemOf({ problem, refusals }: Batch): string | null {
  const { no_repair: unrepaired = 0, ...held } = refusals;
  const said = [
    problem === null ? "" : `It ended early: ${problem}.`,
    ...Object.entries(held).map(([reason, count]) => `${count} held (${reason.replaceAll("_", " ")}).`),
    unrepaired === 0 ? "" : `${unrepaired} without a proved repair.`,
  ].filter((part) => part !== "");
  return said.length === 0 ? null : said.join(" ");
}
