/**
 * A thing that a conversation names, in its own words. `text` stands in the source exactly like this: an entity is
 * found, never made up.
 */
export interface Entity {
  readonly kind: EntityKind;
  readonly text: string;
}

/** What is found, in the order in which it matters to who goes on with a conversation. */
export const ENTITY_KINDS = [
  "id",
  "money",
  "date",
  "email",
  "phone",
  "url",
  "iban",
  "quantity",
  "time",
  "name",
] as const;

export type EntityKind = (typeof ENTITY_KINDS)[number];
