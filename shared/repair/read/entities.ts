const ENTITIES: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  amp: "&",
  lt: "<",
  gt: ">",
  nbsp: " ",
};

/** Decodes the entities of XML, and those of HTML that stand in answers; leaves others as they are. */
export function decodeEntities(text: string): string {
  return text.replaceAll(
    /&(?:([a-z]{2,4})|#(\d{1,7})|#x([\da-f]{1,6}));/gi,
    (entity: string, name?: string, decimal?: string, hex?: string) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? entity;
      const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
    },
  );
}
