import { orderCircuit } from "#shared/people";
import { AbsentError, ChangedMeanwhileError } from "../../errors.ts";
import type { Handler } from "../operation.ts";

/** It stays open, with what its team declared for that, until somebody closes it. */
export const openCircuit = switchTo("open");

/** Its agent works as usual; too much malformed output opens it again. */
export const closeCircuit = switchTo("close");

/**
 * The order is signed and holds for every process; the circuit's record follows it, with the audit, in one script.
 * `version` is the generation that somebody looked at.
 */
function switchTo(action: "open" | "close"): Handler<"openCircuit"> {
  return async ({ console, params: { agent }, body: { why, version }, caller }) => {
    const { circuits } = console.store;
    const found = await circuits.find(agent);
    if (found === null) throw new AbsentError("circuit");
    if (version !== undefined && version !== found.generation) {
      const state = found.state.replace("_", " ");
      throw new ChangedMeanwhileError({ what: "circuit", state, by: found.held_by });
    }
    const by = caller.name;
    // Before the circuit is touched: who reads it takes it as the order says.
    await console.orders.remember(await orderCircuit(console, { agent, is_open: action === "open", by }));
    await circuits.set({ agent, to: action === "open" ? "open" : "closed", by, why });
    return (await circuits.find(agent)) ?? found;
  };
}
