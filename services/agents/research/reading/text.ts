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

/** Stop words. */
const EMPTY = new Set(
  (
    "a about above according across actually after again all also although always am an and another any anybody are as " +
    "ask at away be because been before being below between both but by came can come could dear did do does doing down " +
    "during each either else ever every everybody find first for found from further get give given go got great had has " +
    "have he hello her here hi him his how however i if in into is it its itself just kind know known last less let like look " +
    "made make many may me mean means might mine more most much must my near neither no nobody nor not nothing now of " +
    "off often on once one only or other others our out over own per perhaps please quite rather really right said same " +
    "say says see shall she should since so some somebody something still such sure take tell than thank thanks that the " +
    "their them then there these they thing things this those though through to today together too under until up upon us " +
    "very want was way we well went were what whatever when where whether which while who whom whose why will with within " +
    "without wonder would yes yet you your"
  ).split(" "),
);

/** Endings that are taken off, the longest first, with what is put there. Rough: only likeness is asked. */
const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/(?:ational|ations?)$/, "at"],
  [/ments?$/, "ment"],
  [/ies$/, "y"],
  [/sses$/, "ss"],
  [/(?<=[a-z]{3})ings?$/, ""],
  [/(?<=[a-z]{3})ed$/, ""],
  [/(?<=[sxz]|ch|sh)es$/, ""],
  [/(?<=[a-z]{2}[^su])s$/, ""],
];

/** A text in lower case without accents, every run of other characters one space. Digits with their points stay. */
function foldText(text: string): string {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return plain
    .replaceAll(/(?<=\d),(?=\d{3})/g, "")
    .replaceAll(/(?<!\d)\.|\.(?!\d)/g, " ")
    .replaceAll(/[^\p{L}\p{N}.]+/gu, " ")
    .trim();
}

/** The root of a folded English word, as far as its endings show it. */
function stem(word: string): string {
  for (const [ending, put] of ENDINGS) {
    if (word.length > 3 && ending.test(word)) return dropE(word.replace(ending, put));
  }
  return dropE(word);
}

function dropE(word: string): string {
  return word.length > 4 && word.endsWith("e") ? word.slice(0, -1) : word;
}

/** Returns the stems of a text's words without stop words, in order, with repeats and numbers. */
export function termsOf(text: string): string[] {
  const words = foldText(text)
    .split(" ")
    .filter((word) => word !== "" && !EMPTY.has(word));
  return words.filter((word) => word.length > 1 || /\p{N}/u.test(word)).map(stem);
}
