import { z } from "zod";
import { applyToGroup as apply } from "#shared/ward/batches";
import { AbsentError } from "../../errors.ts";
import { auditAction } from "../guards/audit-action.ts";
import { operation } from "../operation.ts";
import { groupParams, whyField } from "./request-fields.ts";

const CANARY_MAX = 10_000;
const RATE_MAX = 1000;

/** Plans one decision for all cases of a group. It begins with a dry run; `startApply` then starts it. */
export const applyToGroup = operation({
  id: "applyToGroup",
  audit: "group.plan",
  role: "operator",
  status: 202,
  params: groupParams,
  body: z.strictObject({
    decision: z.enum(["operate", "release", "discard"]),
    why: whyField,
    canary: z.int().min(0).max(CANARY_MAX).exactOptional(),
    rate_per_second: z.number().gt(0).max(RATE_MAX).exactOptional(),
  }),
  async handle({ console, params, body, caller }) {
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
  },
});
