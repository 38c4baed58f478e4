/** Returns a text with each run of blanks as one, so that words are found across line breaks. */
export function flatten(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
