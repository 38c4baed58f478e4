import { isRecord } from "#shared/json";
import { callTools } from "#shared/runtime/tools";
import type { StandInTools } from "#shared/runtime/tools";
import type { StandIn } from "#shared/runtime";
import type { TicketInput } from "../operations/answer.ts";
import { dropOrdersToMachines } from "../reading/drop-orders-to-machines.ts";
import { foldText } from "../reading/fold-text.ts";
import { listMarkedOrders } from "../reading/marked-orders.ts";
import { hasPhrase } from "../reading/phrase-score.ts";
import words from "../reading/words.json" with { type: "json" };

/** Orders that are looked up. */
const LOOKED_UP_MAX = 5;

/** Looks up the orders that are named, then writes the ticket from what the customer wrote, their own words beneath. */
export const writeTicket: StandIn = (
  { kind, order_id, summary, text }: TicketInput,
  _random,
  _pictures,
  { offered, results }: StandInTools = { offered: [], results: [] },
) => {
  const own = dropOrdersToMachines(text).text || summary;
  const named = new Set([...(order_id === null ? [] : [order_id]), ...listMarkedOrders(own)]);
  if (offered.includes("look_up_order") && results.length === 0 && named.size > 0) {
    const calls = [...named].slice(0, LOOKED_UP_MAX);
    return callTools(...calls.map((id) => ({ tool: "look_up_order", arguments: { order_id: id } })));
  }
  const order = order_id === null ? "" : ` (order ${order_id})`;
  const states = results.map((result) => `\n${stateOf(result)}`).join("");
  return {
    title: `Customer's request: ${kind.replaceAll("_", " ")}${order}`.slice(0, 120),
    body: `${summary}${states}\n\nIn the customer's words:\n${own}`.slice(0, 2000),
    severity: hasPhrase(foldText(own), words.pressing) ? "high" : "medium",
  };
};

function stateOf(result: StandInTools["results"][number]): string {
  const asked = isRecord(result.arguments) ? String(result.arguments["order_id"]) : "";
  const { outcome } = result;
  const output = isRecord(outcome) && isRecord(outcome["output"]) ? outcome["output"] : undefined;
  return `Order ${asked}: ${output === undefined ? "unknown to the shop for this customer" : String(output["status"])}`;
}
