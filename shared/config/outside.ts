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
  /** `smtp://user:password@host:587` or `smtps://…:465`, for answers to mail. Unset: none is sent. */
  readonly smtpUrl: Secret | null;
  /** Address that answers are sent from, and whose own mails are never taken. Needed with `SUTURE_SMTP_URL`. */
  readonly mailFrom: string | null;
  /** `imaps://user:password@host:993` or `imap://…:143`, for `suture mail`. Unset: there is no mailbox. */
  readonly imapUrl: Secret | null;
  /** Folder of the mailbox whose unseen mails become tasks. */
  readonly mailFolder: string;
  /** Team that mails are given to. It has to take `support.email@1`. */
  readonly mailTeam: string;
}

export function readOutside(values: VariableValues): OutsideConfig {
  return {
    shopUrl: values.SUTURE_SHOP_URL,
    shopToken: values.SUTURE_SHOP_TOKEN,
    deskUrl: values.SUTURE_DESK_URL,
    deskToken: values.SUTURE_DESK_TOKEN,
    crmUrl: values.SUTURE_CRM_URL,
    crmToken: values.SUTURE_CRM_TOKEN,
    smtpUrl: values.SUTURE_SMTP_URL,
    mailFrom: values.SUTURE_MAIL_FROM,
    imapUrl: values.SUTURE_IMAP_URL,
    mailFolder: values.SUTURE_MAIL_FOLDER,
    mailTeam: values.SUTURE_MAIL_TEAM,
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
