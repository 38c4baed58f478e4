/** An order number, amount, date or address that a conversation names. `text` is a substring of the source. */
export interface Entity {
  readonly kind: EntityKind;
  readonly text: string;
}

/** Kinds of entities, by form alone, the most important for the receiver first. */
export const ENTITY_KINDS = ["id", "money", "date", "email", "url", "number"] as const;

export type EntityKind = (typeof ENTITY_KINDS)[number];

const FORMS: readonly (readonly [EntityKind, RegExp])[] = [
  ["url", /https?:\/\/[^\s<>"')\]]{3,300}(?<![.,;:!?])/giu],
  ["email", /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,6}\p{L}{2,24}/gu],
  // A number, with the words or signs beside it that give it its sense: `18 August 2026`, `249.90 EUR`, `3 pillows`.
  [
    "number",
    /(?<![\p{L}\p{N}])(?:[€$£¥]\s?|\p{L}{2,12} (?=\d+\.? ))?[\p{L}#+-]{0,12}\d[\p{L}\p{N}.,:/_-]{0,40}(?<![.,:/_-])(?: \d{2,6}){0,5}(?:\s?[€$£¥%]| \p{L}{1,24}(?:\/\p{L}{1,12})?(?: \d{4})?)?(?![\p{L}\p{N}])/gu,
  ],
];
const DATE = /\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\p{L}+ \d{4}$/u;
const MONEY = /[€$£¥]|\d \p{Lu}{3}$/u;
const ID = /[\p{L}#_-]\d|\d[\p{L}_-]|\d{5}/u;

/** Finds addresses, and numbers with the word beside them, each once and in order. Deterministic and linear. */
export function findEntities(text: string): Entity[] {
  const found = new Map<string, Entity>();
  let rest = text;
  for (const [form, pattern] of FORMS)
    rest = rest.replaceAll(pattern, (piece) => {
      const kind = form === "number" ? kindOf(piece) : form;
      if (!found.has(foldEntity(piece))) found.set(foldEntity(piece), { kind, text: piece });
      return "\n".repeat(piece.length);
    });
  return [...found.values()].toSorted((a, b) => text.indexOf(a.text) - text.indexOf(b.text));
}

function kindOf(piece: string): EntityKind {
  if (DATE.test(piece)) return "date";
  if (MONEY.test(piece)) return "money";
  return ID.test(piece) ? "id" : "number";
}

/** Normalises an entity's spelling: letters and digits, lower case. */
export function foldEntity(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}€$£¥%°]+/gu, "");
}

/** Values that a summary may not invent: names of two or more words, words with a digit, and e-mail addresses. */
const VALUE =
  /(?<=[\p{Ll},] )\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)+|[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}.-]{1,190}|[\p{L}\p{N}#][\p{L}\p{N}.,:/_'’#-]*/gu;

/** Removes and counts sentences of a summary with a number, identifier, name or address missing from its source. */
export function groundSummary(summary: string, source: string): { text: string; dropped: number } {
  const sentences = splitSentences(summary);
  const known = foldEntity(source);
  const isGrounded = (sentence: string): boolean =>
    (sentence.match(VALUE) ?? []).every(
      (value) => !/[\d@ ]/.test(value) || known.includes(foldEntity(value)),
    );
  const kept = sentences.filter(isGrounded);
  return { text: kept.join(" "), dropped: sentences.length - kept.length };
}

/** End of a sentence or line; not the point of an abbreviation, a number or an initial. */
const END =
  /(?<=[.!?…。！？])(?<!\b(?:e\.g|i\.e|Dr|Mr|Mrs|Ms|Prof|No|Nr|approx|ca|vs|etc|St|\p{Lu})\.)\s+|\n+/u;

/** Splits a text into sentences, lines and list items, without empty ones. */
export function splitSentences(text: string): string[] {
  return text
    .split(END)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}
