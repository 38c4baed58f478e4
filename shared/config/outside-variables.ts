import { z } from "zod";
import type { Secret } from "./secret.ts";
import { optionalHttpUrl, optionalText, secretOf, text } from "./variable.ts";
import type { Variable } from "./variable.ts";

export const token: Variable<Secret | null> = secretOf(
  z.string().regex(/^[\x21-\x7e]{1,4000}$/, "must be printable ASCII without spaces"),
  "a-long-random-secret",
);

export const teamName = text(/^[a-z][a-z0-9-]{0,62}$/, "must be the name of a team", "support");

/** The variables of the systems outside that the support team works with. */
export const OUTSIDE_VARIABLES = {
  /** Base URL of the sandbox with orders, payments, tickets, CRM. Unset: the server at `SUTURE_REHEARSAL_PORT`. */
  SUTURE_SANDBOX_URL: optionalHttpUrl("http://127.0.0.1:8082"),
  /** Base URL of the shop's orders and payments, as docs/guides/shop.openapi.json has them. Unset: the sandbox. */
  SUTURE_SHOP_URL: optionalHttpUrl("https://shop.example.org/api"),
  /** Bearer token for the shop. Unset: none is sent. */
  SUTURE_SHOP_TOKEN: token,
  /** Base URL of the help desk's tickets. Unset: the sandbox. */
  SUTURE_DESK_URL: optionalHttpUrl("https://desk.example.org/api"),
  /** Bearer token for the help desk. Unset: none is sent. */
  SUTURE_DESK_TOKEN: token,
  /** Base URL of the CRM's leads. Unset: the sandbox. */
  SUTURE_CRM_URL: optionalHttpUrl("https://crm.example.org/api"),
  /** Bearer token for the CRM. Unset: none is sent. */
  SUTURE_CRM_TOKEN: token,
  /** `smtp://user:password@host:587` or `smtps://…:465`, for answers to mail. Unset: none is sent. */
  SUTURE_SMTP_URL: mailUrl(["smtp:", "smtps:"], "smtps://support:secret@mail.example.org:465"),
  /** Address that answers are sent from, and whose own mails are never taken. Needed with `SUTURE_SMTP_URL`. */
  SUTURE_MAIL_FROM: optionalText(
    /^[^\s<>@]{1,64}@[^\s<>@]{1,253}$/,
    "must be a bare mail address",
    "support@example.org",
  ),
  /** `imaps://user:password@host:993` or `imap://…:143`, for `suture mail`. Unset: there is no mailbox. */
  SUTURE_IMAP_URL: mailUrl(["imap:", "imaps:"], "imaps://support:secret@mail.example.org:993"),
  /** Folder of the mailbox whose unseen mails become tasks. */
  SUTURE_MAIL_FOLDER: text(/^[^\0\r\n]{1,200}$/, "must be the name of a folder", "INBOX"),
  /** Team that mails are given to. It has to take `support.email@1`. */
  SUTURE_MAIL_TEAM: teamName,
};

function mailUrl(protocols: readonly string[], example: string): Variable<Secret | null> {
  const problem = `must be an address that begins with ${protocols.map((one) => `${one}//`).join(" or ")}`;
  const isMailUrl = (value: string): boolean => protocols.includes(URL.parse(value)?.protocol ?? "");
  return secretOf(z.string().refine(isMailUrl, problem), example);
}
