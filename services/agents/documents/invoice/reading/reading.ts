/** A line of a document, with digits as ASCII. */
export interface Line {
  readonly text: string;
  /** The line as it stands in the document. */
  readonly quote: string;
  /** From 1. */
  readonly page: number;
}

/** A value with the line that it stands in. */
export interface Found<Value> {
  readonly value: Value;
  readonly line: Line;
}

/** Reasons for which a value cannot be read. */
export type Unread = "not_stated" | "ambiguous";

/** Reading of one field by rule: a value with its line, or the reason for which there is none. */
export interface Reading<Value> {
  readonly value: Value | null;
  readonly unread: Unread | null;
  readonly line: Line | null;
  /** All readings of an ambiguous field. */
  readonly candidates: readonly Value[];
}

export function notStated<Value>(): Reading<Value> {
  return { value: null, unread: "not_stated", line: null, candidates: [] };
}

export function ambiguous<Value>(candidates: readonly Value[], line: Line | null = null): Reading<Value> {
  return { value: null, unread: "ambiguous", line, candidates: [...new Set(candidates)] };
}

/** Returns the one value that all say; ambiguous where they differ. */
export function decide<Value>(found: readonly Found<Value>[]): Reading<Value> {
  const [first] = found;
  if (first === undefined) return notStated();
  const values = [...new Set(found.map(({ value }) => value))];
  if (values.length > 1) return ambiguous(values, first.line);
  return { value: first.value, unread: null, line: first.line, candidates: values };
}

/** Fields that the rules read in an invoice's text, each with its line or the reason for which it is missing. */
export interface InvoiceFacts {
  readonly number: Reading<string>;
  readonly issue_date: Reading<string>;
  readonly due_date: Reading<string>;
  readonly currency: Reading<string>;
  readonly net: Reading<number>;
  readonly tax: Reading<number>;
  readonly gross: Reading<number>;
  /** Amount payable where it is less than the total: after a deposit, or tax that is withheld. */
  readonly payable: Reading<number>;
  /** Percent of each tax, with its amount. */
  readonly taxes: readonly { readonly rate: number; readonly amount: number }[];
}
