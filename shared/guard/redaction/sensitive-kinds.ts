/**
 * What may be taken out of a text. `card`: payment card numbers that keep Luhn's check. `iban`: account numbers of a
 * known country's length that keep mod 97. `email`, `phone`: addresses and numbers in the usual forms. `secret`:
 * keys, tokens, passwords and private keys by their marks.
 */
export const SENSITIVE_KINDS = ["secret", "iban", "card", "email", "phone"] as const;

export type SensitiveKind = (typeof SENSITIVE_KINDS)[number];

/** A range of a text in UTF-16 units; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}
