import { AbsentError } from "../../errors.ts";
import { operation } from "../operation.ts";
import { agentParams, optionalWhyBody } from "./request-fields.ts";

/** It stays open, with what its team declared for that, until somebody closes it. */
export const openCircuit = switchTo("open");

/** Its agent works as usual; too much malformed output opens it again. */
export const closeCircuit = switchTo("close");

/** The audit is written with the change, in one script. */
function switchTo(action: "open" | "close") {
  return operation({
    id: `${action}Circuit`,
    role: "operator",
    params: agentParams,
    body: optionalWhyBody,
    async handle({ console, params, body, caller }) {
      const { circuits } = console.store;
      const to = action === "open" ? "open" : "closed";
      if (!(await circuits.set({ agent: params.agent, to, by: caller.name, why: body.why })))
        throw new AbsentError("circuit");
      return circuits.find(params.agent);
    },
  });
}
