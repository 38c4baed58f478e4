import { decide } from "#shared/ward";
import { operation } from "../operation.ts";
import { caseParams, optionalWhyBody, whyBody } from "./request-fields.ts";

/** Ends a case without its letter going on. */
export const discardCase = decideWith("discard", whyBody);

/** Undoes a discard, while its run goes on. */
export const restoreCase = decideWith("restore", optionalWhyBody);

/** Has the ladder try again. */
export const operateCase = decideWith("operate", optionalWhyBody);

/** Stands for another person's change, as the second one. */
export const approveCase = decideWith("approve", whyBody);

function decideWith(
  decision: "discard" | "restore" | "operate" | "approve",
  body: typeof whyBody | typeof optionalWhyBody,
) {
  return operation({
    id: `${decision}Case`,
    role: "operator",
    status: 202,
    params: caseParams,
    body,
    handle({ console, params, body: { why, version }, caller }) {
      const { case_id } = params;
      const seen = version === undefined ? {} : { version };
      return decide(console.store, { case_id, decision, by: caller.name, why, ...seen });
    },
  });
}
