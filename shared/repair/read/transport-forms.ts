import { ANSWER_ELEMENT, TEMPLATE_TOKENS } from "./shells/dialects.ts";

/** A wrapper that programs put around a text. */
export interface TextForm {
  readonly step: string;
  readonly cost: number;
  /** Removes the wrapper; undefined when there is none. */
  readonly strip: (text: string) => string | undefined;
}

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

/** `<answer>42</answer>` as the whole text. */
function fromAnswerElement(text: string): string | undefined {
  return ANSWER_ELEMENT.exec(text)?.[2];
}
