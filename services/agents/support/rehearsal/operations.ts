import type { StandIn } from "#shared/runtime";
import type { TicketInput } from "../operations/answer.ts";
import { dropOrdersToMachines } from "../reading/drop-orders-to-machines.ts";
import { foldText } from "../reading/fold-text.ts";
import { hasPhrase } from "../reading/phrase-score.ts";
import words from "./words.json" with { type: "json" };

/** Writes the ticket from what the customer wrote, their own words beneath. */
export const writeTicket: StandIn = ({ kind, order_id, order_status, summary, text }: TicketInput) => {
  const order = order_id === null ? "" : ` (order ${order_id})`;
  const status = order_status === null ? "" : `\nThe shop says of the order: ${order_status}.`;
  const own = dropOrdersToMachines(text).text || summary;
  return {
    title: `Customer's request: ${kind.replaceAll("_", " ")}${order}`.slice(0, 120),
    body: `${summary}${status}\n\nIn the customer's words:\n${own}`.slice(0, 2000),
    severity: hasPhrase(foldText(own), words.pressing) ? "high" : "medium",
  };
};
