import {
  applyToGroup as apply,
  findBatch,
  findBatchCases,
  findBatches,
  startBatch,
  stopBatch,
  undoBatch,
} from "#shared/ward/batches";
import type { Batch } from "#shared/ward/batches";
import type { Store } from "#shared/store";
import { auditAction } from "../../audit/audit-changes.ts";
import { AbsentError } from "../../errors.ts";
import { hasGroup } from "../guards/confine-to-teams.ts";
import type { Handler } from "../../console.ts";

/** Plans one decision for all cases of a group. It begins with a dry run; `startApply` then starts it. */
export const applyToGroup: Handler<"applyToGroup"> = async ({ console, params, body, caller }) => {
  if ((await console.store.cases.groups.find(params.fingerprint)) === null) throw new AbsentError("group");
  const batch = await apply(console.store, {
    ...params,
    ...body,
    by: caller.name,
    person: caller.person,
  });
  const { batch_id, fingerprint, decision, total } = batch;
  const detail = { batch_id, fingerprint, decision, total };
  const did = { by: caller.name, action: "group.plan", why: body.why, detail, fingerprint };
  await auditAction(console.store, did);
  return batch;
};

/** Starts what was planned, or goes on after the canary. */
export const startApply = steer("start", startBatch);

/** Stops it: what was decided stands, nothing more is. */
export const stopApply = steer("stop", stopBatch);

function steer(action: "start" | "stop", change: typeof startBatch): Handler<"startApply"> {
  return async ({ console, params: { batch_id }, body, caller }) => {
    const { store } = console;
    const present = await getBatch(store, batch_id);
    const batch = await change(store, batch_id);
    await auditAction(store, {
      by: caller.name,
      action: `group.${action}`,
      why: body.why,
      detail: { batch_id },
      fingerprint: present.fingerprint,
    });
    return batch;
  };
}

/** Undoes a discard of a whole group. The answer is the work that restores its cases. */
export const undoApply: Handler<"undoApply"> = async ({
  console,
  params: { batch_id: batchId },
  body: { why },
  caller: { name: by, person },
}) => {
  const { store } = console;
  await getBatch(store, batchId);
  const undo = await undoBatch(store, { batchId, by, person, why });
  const { batch_id, fingerprint, total } = undo;
  const detail = { batch_id, undoes: batchId, total };
  await auditAction(store, { by, action: "group.undo", why, detail, fingerprint });
  return undo;
};

/** Work on whole groups, the newest first. */
export const listApplies: Handler<"listApplies"> = async ({
  console,
  query: { fingerprint },
  caller: { teams },
}) => {
  const applies = await findBatches(console.store);
  return {
    applies: applies.filter(
      (batch) =>
        (fingerprint === undefined || batch.fingerprint === fingerprint) &&
        (teams === null || hasGroup(console, batch.fingerprint)),
    ),
  };
};

export const showApply: Handler<"showApply"> = ({ console, params }) =>
  getBatch(console.store, params.batch_id);

/** What became of each case of a piece of work on a group, in the order in which they are decided. */
export const listApplyCases: Handler<"listApplyCases"> = async ({
  console: { store },
  params: { batch_id: batchId },
  query,
}) => {
  const { total } = await getBatch(store, batchId);
  return { cases: await findBatchCases(store, { batchId, ...query }), total };
};

/** @throws {AbsentError} */
async function getBatch(store: Store, batchId: string): Promise<Batch> {
  const batch = await findBatch(store, batchId);
  if (batch === null) throw new AbsentError("batch");
  return batch;
}
