import type { StandIn } from "#shared/runtime";
import { dropOrdersToMachines } from "../reading/drop-orders-to-machines.ts";
import { foldText } from "../reading/fold-text.ts";
import { hasPhrase } from "../reading/phrase-score.ts";
import type { TicketInput } from "../operations/answer.ts";
import words from "./words.json" with { type: "json" };

const TITLES: Readonly<Record<string, string>> = {
  delivery: "Look into a delivery",
  address_change: "Change an address",
  invoice: "Send or correct an invoice",
  account: "Change or close an account",
  exchange: "Exchange an item",
};

/** Writes the ticket from what the customer wrote, their own words beneath. */
export const writeTicket: StandIn = (input: TicketInput) => {
  const { text } = dropOrdersToMachines(input.text);
  const order = input.order_id === null ? "" : ` (order ${input.order_id})`;
  const status = input.order_status === null ? "" : `\nThe shop says of the order: ${input.order_status}.`;
  const own = text === "" ? input.summary : text;
  return {
    title: `${TITLES[input.kind] ?? "A customer's request"}${order}`.slice(0, 120),
    body: `${input.summary}${status}\n\nIn the customer's words:\n${own}`.slice(0, 2000),
    severity: hasPhrase(foldText(own), words.pressing) ? "high" : "medium",
  };
};
