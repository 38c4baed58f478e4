import { decide } from "#shared/ward/decisions";
import { checkRedirect } from "../../ward/check-redirect.ts";
import { operation } from "../operation.ts";
import { caseParams, idField, whyBody } from "./request-fields.ts";

/** Sends a message to another agent that takes its contract. */
export const redirectCase = operation({
  id: "redirectCase",
  audit: "case.redirect",
  role: "operator",
  status: 202,
  params: caseParams,
  body: whyBody.extend({ agent: idField }),
  async handle({ console, params, body: { why, agent, version }, caller }) {
    const { case_id } = params;
    await checkRedirect(console, { caseId: case_id, agent });
    const seen = version === undefined ? {} : { version };
    const { name: by, person } = caller;
    return decide(console, { case_id, decision: "redirect", by, person, why, to: agent, ...seen });
  },
});
