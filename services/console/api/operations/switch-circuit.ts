import { AbsentError, ChangedMeanwhileError } from "../../errors.ts";
import { operation } from "../operation.ts";
import { agentParams, optionalWhyBody } from "./request-fields.ts";

/** It stays open, with what its team declared for that, until somebody closes it. */
export const openCircuit = switchTo("open");

/** Its agent works as usual; too much malformed output opens it again. */
export const closeCircuit = switchTo("close");

/** The audit is written with the change, in one script. `version` is the generation that somebody looked at. */
function switchTo(action: "open" | "close") {
  return operation({
    id: `${action}Circuit`,
    audit: `circuit.${action}`,
    role: "operator",
    params: agentParams,
    body: optionalWhyBody,
    async handle({ console, params: { agent }, body: { why, version }, caller }) {
      const { circuits } = console.store;
      const to = action === "open" ? "open" : "closed";
      const seen = version === undefined ? {} : { seen: version };
      const done = await circuits.set({ agent, to, by: caller.name, why, ...seen });
      const present = await circuits.find(agent);
      if (done === "absent" || present === null) throw new AbsentError("circuit");
      if (done === "stale") {
        const state = present.state.replace("_", " ");
        throw new ChangedMeanwhileError({ what: "circuit", state, by: present.held_by });
      }
      return present;
    },
  });
}
