/** Characters of a customer's own words that are passed on; enough for some 1,200 words. */
const TEXT_CHARS_MAX = 8_000;

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

const TAG = /<\/?(?:a|b|i|u|p|br|div|span|html|head|body|table|tr|td|th|tbody|ul|ol|li|font|strong|em|blockquote|img|hr|h\d)(?:\s[^<>]{0,500})?\/?>/gi;

/** First line of quoted history, as mail programs write it in the team's languages. */
const QUOTE_STARTS = [
  /^-{3,}\s*(?:original message|forwarded message|ursprungliche nachricht|ursprüngliche nachricht|message d'origine|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht).{0,40}$/i,
  /^(?:on|am|le|el|il|em|op|w dniu|dnia)\s.{4,200}(?:wrote|schrieb.{0,80}|a écrit|escribió|ha scritto|escreveu|schreef.{0,80}|napisał(?:\(a\))?|pisze)\s?:\s*$/i,
  /^_{10,}$/,
];

const SIGNATURE_START = /^--\s?$/;

/**
 * The customer's own newest words: without markup, quoted history and signature, at most 8,000 characters. Where
 * nothing is left (a forwarded mail with no word added) it is the whole text, since somebody meant it to be read.
 */
export function customerText(body: string): string {
  const plain = stripMarkup(body);
  const own: string[] = [];
  for (const line of plain.split(/\r\n?|\n/)) {
    const trimmed = line.trim();
    if (SIGNATURE_START.test(trimmed) || QUOTE_STARTS.some((start) => start.test(trimmed))) break;
    if (!trimmed.startsWith(">")) own.push(line.trimEnd());
  }
  const text = own.join("\n").trim();
  return (text === "" ? plain.trim() : text).slice(0, TEXT_CHARS_MAX);
}

function stripMarkup(body: string): string {
  return body
    .replaceAll(/<br\s{0,9}\/?>|<\/(?:p|div|tr|li|h\d)>/gi, "\n")
    .replaceAll(TAG, "")
    .replaceAll(/&(?:[a-z]{2,6}|#39);/gi, (entity) => ENTITIES[entity.toLowerCase()] ?? entity);
}
