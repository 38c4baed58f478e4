/** Blanks made one, so that words are found across line breaks. */
export function flatten(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** The beginning of a text, cut at a word where it is too long. */
export function shorten(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const cutOff = text.slice(0, charactersMax - 1);
  return `${cutOff.slice(0, Math.max(cutOff.lastIndexOf(" "), charactersMax / 2))}…`;
}
