import { RequestInvalidError } from "#shared/http";
import { decide } from "#shared/ward/decisions";
import { checkProposal } from "../../ward/check-proposal.ts";
import type { Handler } from "../operation.ts";
import { payloadTextFrom } from "./request-fields.ts";

/**
 * Sends a message on, as it is or with another value. A value that its contract refuses is refused here, with every
 * fault; the surgeon holds it against the same once more, and signs.
 */
export const releaseCase: Handler<"releaseCase"> = async ({ console, params, body, caller }) => {
  const typed = payloadTextFrom(body);
  const { case_id } = params;
  let payload = typed;
  if (typed !== undefined) {
    const { check, payloadText } = await checkProposal(console, { caseId: case_id, payloadText: typed });
    const { issues } = check;
    payload = payloadText;
    if (issues.length > 0) {
      throw new RequestInvalidError(issues.map((issue) => ({ ...issue, path: `/payload${issue.path}` })));
    }
  }
  return decide(console, {
    case_id,
    decision: "release",
    by: caller.name,
    person: caller.person,
    why: body.why,
    ...(payload === undefined ? {} : { payload }),
    ...(body.version === undefined ? {} : { version: body.version }),
  });
};
