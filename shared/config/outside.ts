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
