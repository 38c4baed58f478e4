/**
 * Text as the reading rules compare it: lower case, without accents, every run of other characters one space, a space
 * at both ends, so that " word" finds the beginning of a word. Digits stay.
 */
export function foldText(text: string): string {
  const plain = text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll("ł", "l")
    .replaceAll("ø", "o")
    .replaceAll("æ", "ae");
  return ` ${plain.replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim()} `;
}
