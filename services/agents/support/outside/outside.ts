import { sandboxAddress } from "#shared/config";
import type { OutsideAddress } from "#shared/config";
import type { OutsideLimits } from "./http-system.ts";
import { HttpSystem } from "./http-system.ts";
import { lead, order, refund, ticket } from "./ports.ts";
import type { MailPort, Outside } from "./ports.ts";

/** Where the outside systems are. Asked at each call, so that loading a team needs no configuration yet. */
interface Addresses {
  /** Orders and payments. */
  readonly shop: () => OutsideAddress;
  readonly desk: () => OutsideAddress;
  readonly crm: () => OutsideAddress;
}

interface OutsideOptions extends OutsideLimits {
  readonly addresses: Addresses;
  /** Default: no answer is sent as mail. */
  readonly mail?: () => MailPort | null;
}

/** The addresses of the sandbox: all systems at one server, which asks for no token. */
export function sandboxAddresses(baseUrl: () => string): Addresses {
  const address = (): OutsideAddress => sandboxAddress(baseUrl());
  return { shop: address, desk: address, crm: address };
}

/** Opens the systems of docs/guides/shop.openapi.json over HTTP: a real shop, help desk and CRM, or the sandbox. */
export function createOutside({ addresses, mail = () => null, ...limits }: OutsideOptions): Outside {
  const shop = new HttpSystem("orders", addresses.shop, limits);
  return {
    orders: {
      find: (orderId, signal) =>
        shop.find({ path: `orders/${encodeURIComponent(orderId)}`, answer: order, signal }),
    },
    payments: new HttpSystem("payments", addresses.shop, limits).effects("payments/refunds", refund),
    tickets: new HttpSystem("tickets", addresses.desk, limits).effects("tickets", ticket),
    crm: new HttpSystem("crm", addresses.crm, limits).effects("crm/leads", lead),
    mail,
  };
}
