import type { Secret } from "./secret.ts";
import type { VariableValues } from "./variables.ts";

/** The systems that the support team acts on beyond its queues. */
export interface OutsideConfig {
  /** Base URL of the shop's orders and payments, as docs/guides/shop.openapi.json has them. Unset: the sandbox. */
  readonly shopUrl: string | null;
  /** Bearer token for the shop. Unset: none is sent. */
  readonly shopToken: Secret | null;
  /** Base URL of the help desk's tickets. Unset: the sandbox. */
  readonly deskUrl: string | null;
  /** Bearer token for the help desk. Unset: none is sent. */
  readonly deskToken: Secret | null;
  /** Base URL of the CRM's leads. Unset: the sandbox. */
  readonly crmUrl: string | null;
  /** Bearer token for the CRM. Unset: none is sent. */
  readonly crmToken: Secret | null;
}

export function readOutside(values: VariableValues): OutsideConfig {
  return {
    shopUrl: values.SUTURE_SHOP_URL,
    shopToken: values.SUTURE_SHOP_TOKEN,
    deskUrl: values.SUTURE_DESK_URL,
    deskToken: values.SUTURE_DESK_TOKEN,
    crmUrl: values.SUTURE_CRM_URL,
    crmToken: values.SUTURE_CRM_TOKEN,
  };
}

/** Where one outside system is, and what it knows us by. */
export interface OutsideAddress {
  /** Base URL without a slash at its end. */
  readonly url: string;
  /** Sent as a bearer token. Null: none is. */
  readonly token: Secret | null;
  /** True for the sandbox, which no person reads and which moves no money. */
  readonly isSandbox: boolean;
}

type OutsideSystem = "shop" | "desk" | "crm";

/**
 * Returns the address of a system outside: the configured one, else the sandbox. A rehearsal acts in the sandbox alone,
 * whatever is configured. The only code that knows where the sandbox is.
 */
export function outsideAddress(
  config: { readonly outside: OutsideConfig; readonly isRehearsal: boolean; readonly sandboxUrl: string },
  system: OutsideSystem,
): OutsideAddress {
  const url = config.outside[`${system}Url`];
  if (url === null || config.isRehearsal) return sandboxAddress(config.sandboxUrl);
  return { url: withoutSlash(url), token: config.outside[`${system}Token`], isSandbox: false };
}

/** @param baseUrl - Of the server that the sandbox is a part of. It asks for no token. */
export function sandboxAddress(baseUrl: string): OutsideAddress {
  return { url: `${withoutSlash(baseUrl)}/sandbox`, token: null, isSandbox: true };
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}
