import type { Email } from "postal-mime";

/** Headers whose presence alone says that a program or a list wrote the mail. */
const TELLING = ["list-id", "list-unsubscribe", "x-autoreply", "x-autorespond", "x-loop"];

/**
 * Returns in one word why nobody waits for an answer to a mail, by its headers (RFC 3834): null for a person's mail.
 * The subject is not looked at; the team does that for mails that hide what they are.
 */
export function whyAutomatic({ headers }: Pick<Email, "headers">): string | null {
  const valueOf = (name: string): string =>
    (headers.find(({ key }) => key === name)?.value ?? "").trim().toLowerCase();
  const autoSubmitted = valueOf("auto-submitted");
  if (autoSubmitted !== "" && autoSubmitted !== "no") return "auto_submitted";
  if (/^(?:bulk|list|junk|auto_reply)\b/.test(valueOf("precedence"))) return "bulk";
  if (headers.some(({ key }) => TELLING.includes(key))) return "bulk";
  if (valueOf("content-type").startsWith("multipart/report")) return "bounce";
  const sender = headers.find(({ key }) => key === "return-path")?.value.trim();
  if (sender === "<>" || /^<?(?:mailer-daemon|postmaster)@/.test(sender?.toLowerCase() ?? ""))
    return "bounce";
  return null;
}
