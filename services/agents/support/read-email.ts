import type { ContractOutput } from "#shared/contract";
import type { SupportEmail } from "./contracts.ts";

/**
 * First line of what is no longer the writer's: a signature's mark, a rule, or the line with which a mail program heads
 * a quotation, in any language: it has an address or a time of day, and ends with a colon.
 */
const ENDS = [/^--$/, /^_{10,}$/, /^-{3,}.{1,80}-{3,}$/, /^.{4,200}(?:@|\d{1,2}:\d{2}).{0,200}:$/];

/** The parts of an e-mail that the router is shown. */
export interface TriageInput {
  readonly from: string;
  readonly subject: string;
  /** The customer's own newest words. */
  readonly text: string;
  /** Text that they quote beneath, cut short: an order number may stand only there. */
  readonly quoted: string;
  readonly order_hint: string | null;
  readonly attachments: readonly string[];
}

/** Returns an e-mail as the router is shown it. */
export function readEmail(email: ContractOutput<typeof SupportEmail>): TriageInput {
  return {
    from: email.from,
    subject: email.subject,
    ...splitEmail(email.body),
    order_hint: email.order_hint ?? null,
    attachments: email.attachments.map((file) => file.name),
  };
}

/**
 * Parts the customer's own newest words from quoted history and signature, without markup. Where nothing would be left
 * (a forwarded mail with no word added) the whole text is their own, since somebody meant it to be read.
 */
export function splitEmail(body: string): Pick<TriageInput, "text" | "quoted"> {
  const marked = body.replaceAll(/<br\s{0,9}\/?>|<\/(?:p|div|tr|li|h\d)>/gi, "\n").replaceAll(TAG, "");
  const plain = Object.entries(ENTITIES).reduce(
    (read, [entity, sign]) => read.replaceAll(entity, sign),
    marked,
  );
  const lines = plain.trim().split(/\r\n?|\n/);
  const end = lines.findIndex((line) => ENDS.some((mark) => mark.test(line.trim().slice(0, 500))));
  const before = end === -1 ? lines : lines.slice(0, end);
  const text = before
    .filter((line) => !isQuoted(line))
    .join("\n")
    .trim();
  const quoted = [...before.filter(isQuoted), ...(end === -1 ? [] : lines.slice(end))];
  return text === "" ? { text: plain.trim(), quoted: "" } : { text, quoted: quoted.join("\n") };
}

function isQuoted(line: string): boolean {
  return line.trimStart().startsWith(">");
}

const TAG = /<\/?[a-z][a-z0-9]{0,11}(?:\s[^<>]{0,500})?\/?>/gi;
const ENTITIES = { "&nbsp;": " ", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" };

/** The bare address of a mailbox written as `a@b.example` or `Name <a@b.example>`, in lower case. */
export function readMailbox(mailbox: string): string {
  const bracketed = /<([^<>]+)>\s*$/.exec(mailbox)?.[1];
  return (bracketed ?? mailbox).trim().toLowerCase();
}

/** A head line as mail programs show it; only these two are of use. */
const HEAD_LINE = /^(From|Subject):[ \t]*(.*)$/i;

/** Reads an e-mail of one text: lines `From:` and `Subject:` in any order, then its body. Nothing is made up. */
export function readEmailText(text: string): { from?: string; subject?: string; body: string } {
  const lines = text.split(/\r\n?|\n/);
  const head: Record<string, string> = {};
  let at = 0;
  for (; at < lines.length; at += 1) {
    const [, name = "", value = ""] = HEAD_LINE.exec(lines[at] ?? "") ?? [];
    if (name === "") break;
    head[name.toLowerCase()] = value.trim();
  }
  return { ...head, body: lines.slice(at).join("\n").trim() };
}
