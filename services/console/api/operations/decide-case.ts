import { decide } from "#shared/ward/decisions";
import { operation } from "../operation.ts";
import { caseParams, digestField, optionalWhyBody, whyBody } from "./request-fields.ts";

/** Ends a case without its message going on. */
export const discardCase = decideWith("discard", whyBody);

/** Undoes a discard, while its run goes on. */
export const restoreCase = decideWith("restore", optionalWhyBody);

/** Has the ladder try again. */
export const operateCase = decideWith("operate", optionalWhyBody);

/** Stands for another person's change, as the second one. `proposal` is the digest of the one that they looked at. */
export const approveCase = operation({
  id: "approveCase",
  audit: "case.approve",
  role: "operator",
  status: 202,
  params: caseParams,
  body: whyBody.extend({ proposal: digestField }),
  handle({ console, params: { case_id }, body, caller: { name: by, person } }) {
    return decide(console, { case_id, decision: "approve", by, person, ...body });
  },
});

function decideWith(
  decision: "discard" | "restore" | "operate",
  body: typeof whyBody | typeof optionalWhyBody,
) {
  return operation({
    id: `${decision}Case`,
    audit: `case.${decision}`,
    role: "operator",
    status: 202,
    params: caseParams,
    body,
    handle({ console, params, body: { why, version }, caller }) {
      const { case_id } = params;
      const seen = version === undefined ? {} : { version };
      const { name: by, person } = caller;
      return decide(console, { case_id, decision, by, person, why, ...seen });
    },
  });
}
