const ENTITIES: Readonly<Record<string, string>> = {
  "&nbsp;": " ",
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&euro;": "€",
  "&pound;": "£",
};

const TAG =
  /<\/?(?:a|b|i|u|p|br|div|span|html|head|body|table|tr|td|th|tbody|ul|ol|li|font|strong|em|blockquote|img|hr|h\d)(?:\s[^<>]{0,500})?\/?>/gi;

/** First line of quoted history, as mail programs write it in the team's languages. */
const QUOTE_STARTS = [
  /^-{3,}\s*(?:original message|forwarded message|ursprungliche nachricht|ursprüngliche nachricht|message d'origine|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht).{0,40}$/i,
  /^(?:on|am|le|el|il|em|op|w dniu|dnia)\s.{4,200}(?:wrote|schrieb.{0,80}|a écrit|escribió|ha scritto|escreveu|schreef.{0,80}|napisał(?:\(a\))?|pisze)\s?:\s*$/i,
  /^_{10,}$/,
];

const SIGNATURE_START = /^--\s?$/;

/** An e-mail's text in two parts, neither of them cut: the contract bounds the e-mail. */
export interface EmailText {
  /** The customer's own newest words. */
  readonly own: string;
  /** The text quoted beneath, and the signature. */
  readonly quoted: string;
}

/**
 * Parts the customer's own newest words from quoted history and signature, without markup. Where nothing would be left
 * (a forwarded mail with no word added) the whole text is their own, since somebody meant it to be read.
 */
export function splitEmail(body: string): EmailText {
  const plain = stripMarkup(body).trim();
  const lines = plain.split(/\r\n?|\n/);
  const end = lines.findIndex((line) => startsQuote(line.trim()));
  const before = end === -1 ? lines : lines.slice(0, end);
  const own = before.filter((line) => !line.trimStart().startsWith(">"));
  const quoted = [
    ...before.filter((line) => line.trimStart().startsWith(">")),
    ...(end === -1 ? [] : lines.slice(end)),
  ];
  const text = own.join("\n").trim();
  return text === "" ? { own: plain, quoted: "" } : { own: text, quoted: quoted.join("\n") };
}

function startsQuote(line: string): boolean {
  return SIGNATURE_START.test(line) || QUOTE_STARTS.some((start) => start.test(line.slice(0, 300)));
}

function stripMarkup(body: string): string {
  return body
    .replaceAll(/<br\s{0,9}\/?>|<\/(?:p|div|tr|li|h\d)>/gi, "\n")
    .replaceAll(TAG, "")
    .replaceAll(/&(?:[a-z]{2,6}|#39);/gi, (entity) => ENTITIES[entity.toLowerCase()] ?? entity);
}
