import { flatten, readParagraphs } from "./paragraphs.ts";

/**
 * What is said about a text, as far as the words it rests on stand there; each with the paragraph in which they
 * do.
 */
export function keepQuoted<Remark extends { readonly quote: string; readonly paragraph: number }>(
  remarks: readonly Remark[],
  text: string,
): { readonly kept: Remark[]; readonly unsupported: number } {
  const paragraphs = readParagraphs(text).map(flatten);
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
