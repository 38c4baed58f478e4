import words from "./words.json" with { type: "json" };

/** Synonyms of field names, the usual ones first. */
const FAMILIES: readonly (readonly string[])[] = words.families;

/** Words related to enum members; a model knows them, first aid must not. */
const RELATED: Readonly<Record<string, readonly string[]>> = words.related;

/** Lower-case words of a name: `orderId`, `order_id` and `Order ID` are all `order id`. */
export function wordsOf(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replaceAll(/[^\p{L}\d]+/gu, " ")
    .trim();
}

/** The synonyms of a name, itself first. */
export function familyOf(name: string): readonly string[] {
  const own = wordsOf(name);
  const family =
    FAMILIES.find((each) => each.includes(own)) ?? FAMILIES.find((each) => sharesWord(each, own));
  return [...new Set([own, ...(family ?? [])])];
}

function sharesWord(family: readonly string[], name: string): boolean {
  return name.split(" ").some((word) => word.length > 3 && family.includes(word));
}

/** Words that indicate an enum member: its own, its declared synonyms, and related ones. */
export function wordsFor(member: string, synonyms: readonly string[]): readonly string[] {
  const own = wordsOf(member);
  const related = own
    .split(" ")
    .flatMap((word) => (Object.hasOwn(RELATED, word) ? (RELATED[word] ?? []) : []));
  return [...new Set([own, ...synonyms.map(wordsOf), ...related])].filter((near) => near !== "");
}
