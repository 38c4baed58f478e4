import { applyToGroup as apply } from "#shared/ward/batches";
import { AbsentError } from "../../errors.ts";
import { auditAction } from "../guards/audit-action.ts";
import type { Handler } from "../operation.ts";

/** Plans one decision for all cases of a group. It begins with a dry run; `startApply` then starts it. */
export const applyToGroup: Handler<"applyToGroup"> = async ({ console, params, body, caller }) => {
  if ((await console.store.cases.groups.find(params.fingerprint)) === null) throw new AbsentError("group");
  const batch = await apply(console, {
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
