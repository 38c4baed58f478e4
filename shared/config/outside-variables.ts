import { z } from "zod";
import type { Secret } from "./secret.ts";
import { optionalHttpUrl, optionalText, secretOf, text } from "./variable.ts";
import type { Variable } from "./variable.ts";

export const token: Variable<Secret | null> = secretOf(
  z.string().regex(/^[\x21-\x7e]{1,4000}$/, "must be printable ASCII without spaces"),
  "a-long-random-secret",
);

export const teamName = text({
  pattern: /^[a-z][a-z0-9-]{0,62}$/,
  problem: "must be the name of a team",
  fallback: "support",
});

/** The variables of the systems outside that the support team works with. */
export const OUTSIDE_VARIABLES = {
  SUTURE_SHOP_URL: optionalHttpUrl("https://shop.example.org/api"),
  SUTURE_SHOP_TOKEN: token,
  SUTURE_DESK_URL: optionalHttpUrl("https://desk.example.org/api"),
  SUTURE_DESK_TOKEN: token,
  SUTURE_CRM_URL: optionalHttpUrl("https://crm.example.org/api"),
  SUTURE_CRM_TOKEN: token,
  SUTURE_SMTP_URL: mailUrl(["smtp:", "smtps:"], "smtps://support:secret@mail.example.org:465"),
  SUTURE_MAIL_FROM: optionalText({
    pattern: /^[^\s<>@]{1,64}@[^\s<>@]{1,253}$/,
    problem: "must be a bare mail address",
    example: "support@example.org",
  }),
  SUTURE_IMAP_URL: mailUrl(["imap:", "imaps:"], "imaps://support:secret@mail.example.org:993"),
  SUTURE_MAIL_FOLDER: text({
    pattern: /^[^\0\r\n]{1,200}$/,
    problem: "must be the name of a folder",
    fallback: "INBOX",
  }),
  SUTURE_MAIL_TEAM: teamName,
};

function mailUrl(protocols: readonly string[], example: string): Variable<Secret | null> {
  const problem = `must be an address that begins with ${protocols.map((one) => `${one}//`).join(" or ")}`;
  const isMailUrl = (value: string): boolean => protocols.includes(URL.parse(value)?.protocol ?? "");
  return secretOf(z.string().refine(isMailUrl, problem), example);
}
