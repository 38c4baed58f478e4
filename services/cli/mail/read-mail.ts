import { createHash } from "node:crypto";
import { htmlToText } from "html-to-text";
import PostalMime from "postal-mime";
import type { Attachment, Email } from "postal-mime";

/** A file of a mail. */
export interface MailFile {
  readonly name: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** A mail as a task needs it. */
export interface ReadMail {
  /** Bare address in lower case. */
  readonly from: string;
  readonly subject: string;
  readonly body: string;
  /** Made from the content where the mail has none. */
  readonly messageId: string;
  /** Oldest first. */
  readonly references: readonly string[];
  readonly files: readonly MailFile[];
  /** The same for every copy of the same mail, and for no other mail. */
  readonly idempotencyKey: string;
}

/** A mail that becomes a task, or in one word why it becomes none. */
export type MailReading =
  | { readonly kind: "mail"; readonly mail: ReadMail }
  | { readonly kind: "skip"; readonly why: string };

const SUBJECT_MAX = 998;
const NAME_MAX = 255;
const REFERENCES_MAX = 50;
/** Bounds of the MIME reader. */
const NESTING_MAX = 50;
const HEADERS_BYTES_MAX = 1024 * 1024;

const MESSAGE_ID = /<[^<>\s]{1,996}>/g;
const ADDRESS = /^[^\s<>@]{1,64}@[^\s<>@]{1,253}$/;

/** Reads a mail; programs, lists, bounces and our own get no answer. @param own - Addresses that answers come from. */
export async function readMail(
  source: Uint8Array<ArrayBuffer>,
  own: readonly string[],
): Promise<MailReading> {
  const parsed = await parse(source);
  if (parsed === null) return { kind: "skip", why: "unreadable" };
  const from = (parsed.from?.address ?? "").trim().toLowerCase();
  if (!ADDRESS.test(from)) return { kind: "skip", why: "no_sender" };
  if (own.some((address) => address.toLowerCase() === from)) return { kind: "skip", why: "own_mail" };
  const automatic = whyAutomatic(parsed);
  if (automatic !== null) return { kind: "skip", why: automatic };
  const subject = (parsed.subject ?? "").replaceAll(/[\r\n]+/g, " ").slice(0, SUBJECT_MAX);
  const body = textOf(parsed) || "(The mail holds no text.)";
  const digest = createHash("sha256");
  for (const part of [parsed.messageId ?? "", from, subject, body]) digest.update(part).update("\0");
  const hash = digest.digest("hex");
  const [messageId = `<${hash}@mail.invalid>`] = idsIn(parsed.messageId);
  const references = [...idsIn(parsed.references), ...idsIn(parsed.inReplyTo)];
  const files = parsed.attachments.flatMap(fileOf);
  const mail = {
    from,
    subject,
    body,
    messageId,
    references: [...new Set(references)].slice(-REFERENCES_MAX),
    files,
    idempotencyKey: `mail-${hash}`,
  };
  return { kind: "mail", mail };
}

async function parse(source: Uint8Array<ArrayBuffer>): Promise<Email | null> {
  try {
    const limits = { maxNestingDepth: NESTING_MAX, maxHeadersSize: HEADERS_BYTES_MAX };
    return await PostalMime.parse(source, limits);
  } catch {
    return null;
  }
}

function textOf({ text = "", html = "" }: Email): string {
  if (text.trim() !== "" || html.trim() === "") return text.trim();
  const skipped = ["img", "style", "script", "head"].map((selector) => ({ selector, format: "skip" }));
  const selectors = [...skipped, { selector: "a", options: { ignoreHref: true } }];
  return htmlToText(html, { wordwrap: false, selectors }).trim();
}

function idsIn(header: string | undefined): string[] {
  return [...(header ?? "").matchAll(MESSAGE_ID)].map(([id]) => id);
}

/** Pictures that belong to the text itself, such as a logo in a signature, are left out. */
function fileOf({ filename, content, disposition, related }: Attachment): MailFile[] {
  if (related === true && disposition !== "attachment") return [];
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
  const name = (filename ?? "").replaceAll(/[\p{Cc}/\\]/gu, "_").trim();
  return [{ name: (name === "" ? "attachment" : name).slice(0, NAME_MAX), content: bytes }];
}

/** Headers whose presence alone says that a program or a list wrote the mail. */
const TELLING = ["list-id", "list-unsubscribe", "x-autoreply", "x-autorespond", "x-loop"];

/**
 * Returns in one word why nobody waits for an answer to a mail, by its headers (RFC 3834): null for a person's mail.
 * The subject is not looked at; the team does that for mails that hide what they are.
 */
function whyAutomatic({ headers }: Pick<Email, "headers">): string | null {
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
