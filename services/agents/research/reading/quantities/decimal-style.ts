/** Which mark a text sets before decimals. `unknown`: its words and figures do not show it. */
export type DecimalStyle = "point" | "comma" | "unknown";

const POINT = /\d,\d{3}(?:,\d{3}|\.\d)|(?<![\d.])\d+\.\d{1,2}(?![\d.])/;
const COMMA = /\d\.\d{3}(?:\.\d{3}|,\d)|(?<![\d,])\d+,\d{1,2}(?![\d,])/;
const ENGLISH = /\b(?:the|and|of|is|was|were|has|each|that|cost|costs)\b/gi;
const OTHER =
  /\b(?:der|die|das|und|ist|hat|jedes?|eine?|le|la|les|et|des|est|el|los|del|una?|il|di|per|het|een|van)\b/gi;
/** Day, month and year in figures are no decimals. */
const DATES = /\b\d{1,2}\.\d{1,2}\.(?:\d{4}|\d{2})?/g;

/** Returns the decimal mark of a text, by figures that can be read in one way only, else by its most common words. */
export function decimalStyleOf(text: string): DecimalStyle {
  const plain = text.replaceAll(DATES, " ");
  const [hasPoint, hasComma] = [POINT.test(plain), COMMA.test(plain)];
  if (hasPoint !== hasComma) return hasPoint ? "point" : "comma";
  const [english, other] = [ENGLISH, OTHER].map((words) => plain.match(words)?.length ?? 0);
  if (english === other) return "unknown";
  return (english ?? 0) > (other ?? 0) ? "point" : "comma";
}
