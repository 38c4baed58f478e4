const ENTITIES: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  amp: "&",
  lt: "<",
  gt: ">",
  nbsp: " ",
  "#34": '"',
  "#39": "'",
  "#x22": '"',
  "#x27": "'",
};

/** Decodes the entities of XML, and those of HTML that stand in answers; leaves others as they are. */
export function decodeEntities(text: string): string {
  return text.replaceAll(/&(#?\w{2,5});/g, (whole, name: string) => ENTITIES[name.toLowerCase()] ?? whole);
}
