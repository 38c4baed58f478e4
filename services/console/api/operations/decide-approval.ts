import { getCase } from "#shared/ward";
import { decide } from "#shared/ward/decisions";
import { NoApprovalError } from "../../errors.ts";
import { findApproval } from "../../ward/find-approval.ts";
import { readMessage } from "../../ward/read-message.ts";
import type { Handler } from "../operation.ts";

/**
 * A person's word on the tool call that a message waits with. The message goes on to its agent with the decision; the
 * call is the one of the case, so that nobody approves another by a slip of the hand.
 */
export const decideApproval: Handler<"decideApproval"> = async ({
  console,
  params,
  body: { approved, why, version },
  caller,
}) => {
  const { case_id } = params;
  const { admissions } = await getCase(console.store, case_id);
  const latest = admissions.at(-1);
  const record = latest === undefined ? null : readMessage(latest);
  const call = findApproval(record);
  if (call === null) throw new NoApprovalError(case_id);
  const payload = JSON.stringify({ call, approved, note: why });
  const seen = version === undefined ? {} : { version };
  const { name: by, person } = caller;
  return decide(console, { case_id, decision: "release", by, person, why, payload, ...seen });
};
