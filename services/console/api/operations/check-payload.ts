import { RequestInvalidError } from "#shared/http";
import { checkProposal } from "../../ward/check-proposal.ts";
import type { Handler } from "../operation.ts";
import { payloadTextFrom } from "./request-fields.ts";

/** Says what a release with this value would meet. Changes nothing. */
export const checkPayload: Handler<"checkPayload"> = async ({ console, params, body }) => {
  const payloadText = payloadTextFrom(body);
  if (payloadText === undefined) {
    throw new RequestInvalidError([{ path: "/payload", code: "invalid_type", message: "a value is needed" }]);
  }
  return (await checkProposal(console, { caseId: params.case_id, payloadText })).check;
};
