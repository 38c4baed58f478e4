/**
 * Returns the remarks about a text whose words stand there, each with the paragraph in which they do. Blanks and the
 * forms of Unicode make no difference.
 */
export function keepQuoted<Remark extends { readonly quote: string; readonly paragraph: number }>(
  remarks: readonly Remark[],
  text: string,
): { readonly kept: Remark[]; readonly unsupported: number } {
  const paragraphs = text.split(/\n\s*\n/).flatMap((part) => (part.trim() === "" ? [] : [flatten(part)]));
  const kept = remarks.flatMap((remark) => {
    const wanted = flatten(remark.quote);
    const isWhereItSays = paragraphs[remark.paragraph - 1]?.includes(wanted) === true;
    const paragraph = isWhereItSays
      ? remark.paragraph
      : paragraphs.findIndex((one) => one.includes(wanted)) + 1;
    return paragraph === 0 ? [] : [{ ...remark, paragraph }];
  });
  return { kept, unsupported: remarks.length - kept.length };
}

/** Returns true where some words stand in a text, blanks and the forms of Unicode apart. */
export function holdsWords(text: string, words: string): boolean {
  return words.trim() !== "" && flatten(text).includes(flatten(words));
}

function flatten(text: string): string {
  return text.normalize("NFC").replaceAll(/\s+/g, " ").trim();
}
