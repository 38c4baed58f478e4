import { decide } from "#shared/ward/decisions";
import type { Handler } from "../operation.ts";

/** Ends a case without its message going on. */
export const discardCase = decideWith("discard");

/** Undoes a discard, while its run goes on. */
export const restoreCase = decideWith("restore");

/** Has the ladder try again. */
export const operateCase = decideWith("operate");

/** Stands for another person's change, as the second one. `proposal` is the digest of the one that they looked at. */
export const approveCase: Handler<"approveCase"> = ({
  console,
  params: { case_id },
  body,
  caller: { name: by, person },
}) => {
  return decide(console, { case_id, decision: "approve", by, person, ...body });
};

function decideWith(decision: "discard" | "restore" | "operate"): Handler<"operateCase"> {
  return ({ console, params, body: { why, version }, caller }) => {
    const { case_id } = params;
    const seen = version === undefined ? {} : { version };
    const { name: by, person } = caller;
    return decide(console, { case_id, decision, by, person, why, ...seen });
  };
}
