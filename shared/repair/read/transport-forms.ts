import { firstDifference } from "../first-difference.ts";
import { ANSWER_ELEMENT, TEMPLATE_TOKENS } from "./shells/dialects.ts";
import type { TextForm } from "./text-form.ts";

/**
 * What transports, terminals, logs and chat templates put around a text or do to all of it. Each is undone only where
 * JSON itself could not look like that.
 */
export const TRANSPORT_FORMS: readonly TextForm[] = [
  { step: "tokens_removed", cost: 1, strip: withoutTemplateTokens },
  {
    step: "colours_removed",
    cost: 1,
    // An escape character never stands in JSON as it is.
    strip: (text) => (text.includes("\u001B[") ? text.replaceAll(COLOUR, "") : undefined),
  },
  { step: "quoted_printable", cost: 2, strip: fromQuotedPrintable },
  { step: "percent_decoded", cost: 2, strip: fromFormField },
  { step: "code_points_decoded", cost: 2, strip: withQuotes },
  { step: "line_breaks_removed", cost: 2, strip: withoutHtmlBreaks },
  { step: "log_prefix_removed", cost: 1, strip: withoutLogPrefix },
  { step: "answer_element_removed", cost: 1, strip: fromAnswerElement },
];

const COLOUR = new RegExp(String.raw`\u001B\[[0-9;]*[A-Za-z]`, "g");

const TOKEN = `(?:${TEMPLATE_TOKENS.join("|")})`;

const LEADING_TOKENS = new RegExp(`^\\s*(?:${TOKEN}(?:assistant|model)?\\s*)+`);
const TRAILING_TOKEN = new RegExp(`${TOKEN}$`);
/** Length of the longest token. */
const TOKEN_CHARS_MAX = 42;

/** Keeps what follows the last `<|message|>`, and takes marks off both ends. */
function withoutTemplateTokens(text: string): string | undefined {
  if (!text.includes("<") && !text.includes("INST]")) return undefined;
  const message = text.lastIndexOf("<|message|>");
  const said = message === -1 ? text : text.slice(message + "<|message|>".length);
  const plain = withoutTrailingTokens(said.replace(LEADING_TOKENS, ""));
  return plain === text ? undefined : plain;
}

function withoutTrailingTokens(text: string): string {
  let end = text.length;
  for (;;) {
    const plain = text.slice(0, end).trimEnd();
    const token = TRAILING_TOKEN.exec(plain.slice(-TOKEN_CHARS_MAX))?.[0];
    if (token === undefined) return end === text.length ? text : text.slice(0, end);
    end = plain.length - token.length;
  }
}

/** Decodes a mail part whose header says quoted-printable, and drops the header. */
function fromQuotedPrintable(text: string): string | undefined {
  if (!text.includes("ransfer-") && !text.includes("RANSFER-")) return undefined;
  const header = /^Content-Transfer-Encoding:[ \t]*quoted-printable[^\n]*\n/im.exec(text);
  if (header === null) return undefined;
  const body = text.slice(header.index + header[0].length).replace(/^(?:[A-Za-z-]+:[^\n]*\n)*\r?\n/, "");
  const joined = body.replaceAll(/=\r?\n/g, "").replaceAll("%", "%25");
  return percentDecoded(joined.replaceAll(/=([0-9A-F]{2})/gi, "%$1"));
}

function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** `payload=%7B%22a%22%3A+1%7D`: a field of a form, or JSON in an address. */
function fromFormField(text: string): string | undefined {
  const field = /^\s*(?:[\w.-]{1,40}=)?((?:%(?:7B|5B|22))\S*)\s*$/i.exec(text)?.[1];
  return field === undefined ? undefined : percentDecoded(field.replaceAll("+", " "));
}

/** `{\x22a\x22: 1}`: every quote is written as its code point. */
function withQuotes(text: string): string | undefined {
  if (text.includes('"') || !/\\(?:x22|u0022)/i.test(text)) return undefined;
  return text.replaceAll(/\\(?:x22|u0022)/gi, '"').replaceAll(/\\x27/gi, "'");
}

/** `{<br>` and `&nbsp;`: JSON that was made visible in HTML. */
function withoutHtmlBreaks(text: string): string | undefined {
  if (!text.includes("<") || !/[{[,]\s*<br\s*\/?>\s*(?:\n|$|&nbsp;)/i.test(text)) return undefined;
  return text
    .replaceAll(/<br\s*\/?>[ \t]*(?=\n|$)/gi, "")
    .replaceAll(/<br\s*\/?>/gi, "\n")
    .replaceAll("&nbsp;", " ");
}

const LEVEL = /\b(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|LOG|std(?:out|err))\b/i;
const PREFIX_CHARS_MIN = 4;

function isLogPrefix(text: string): boolean {
  return text.length >= PREFIX_CHARS_MIN && (/\d\d:\d\d/.test(text) || LEVEL.test(text));
}

/** Removes the same prefix from every line: a time, a level, the name of a process. Digits may differ. */
function withoutLogPrefix(text: string): string | undefined {
  // The prefix ends before the value, and most texts begin with theirs.
  const head = /^[^"{}\n]{0,400}/.exec(text.trimStart())?.[0] ?? "";
  if (!isLogPrefix(head)) return undefined;
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const [first, ...others] = lines;
  if (first === undefined || others.length === 0) return undefined;
  const shapeOf = (line: string): string => line.replaceAll(/\d/g, "0");
  const shape = shapeOf(first);
  const length = others.reduce(
    (same, line) => firstDifference(shape.slice(0, same), shapeOf(line)),
    shape.length,
  );
  const prefix = first.slice(0, length);
  if (!isLogPrefix(prefix) || /["{}]/.test(prefix)) return undefined;
  if (!/^\s*["[{]/.test(first.slice(prefix.length))) return undefined;
  return lines.map((line) => line.slice(prefix.length)).join("\n");
}

/** `<answer>42</answer>` as the whole text. */
function fromAnswerElement(text: string): string | undefined {
  return ANSWER_ELEMENT.exec(text)?.[2];
}
