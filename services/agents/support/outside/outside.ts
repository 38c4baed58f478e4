import { createCrm } from "./crm.ts";
import type { Crm } from "./crm.ts";
import { createOrders } from "./orders.ts";
import type { Orders } from "./orders.ts";
import type { OutsideOptions } from "./outside-system.ts";
import { createPayments } from "./payments.ts";
import type { Payments } from "./payments.ts";
import { createTickets } from "./tickets.ts";
import type { Tickets } from "./tickets.ts";

/** All that the team acts on beyond its queues. */
export interface Outside {
  readonly orders: Orders;
  readonly payments: Payments;
  readonly tickets: Tickets;
  readonly crm: Crm;
}

export function createOutside(options: OutsideOptions): Outside {
  return {
    orders: createOrders(options),
    payments: createPayments(options),
    tickets: createTickets(options),
    crm: createCrm(options),
  };
}
