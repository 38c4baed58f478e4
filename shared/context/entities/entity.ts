/**
 * An entity (order number, amount, date, person) that a conversation names. `text` is a substring of the source,
 * never invented.
 */
export interface Entity {
  readonly kind: EntityKind;
  readonly text: string;
}

/** Kinds of entities, the most important for the receiver first. */
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
  "figure",
  "name",
] as const;

export type EntityKind = (typeof ENTITY_KINDS)[number];
