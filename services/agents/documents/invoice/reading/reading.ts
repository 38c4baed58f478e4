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

/** Why a value cannot be told. */
export type Unread = "not_stated" | "ambiguous";

/** What the rules read for one field: a value with its place, or why there is none. */
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

/** What the rules read out of an invoice's text by themselves, each with its line or with why it cannot be told. */
export interface InvoiceFacts {
  readonly number: Reading<string>;
  readonly issue_date: Reading<string>;
  readonly due_date: Reading<string>;
  readonly currency: Reading<string>;
  readonly net: Reading<number>;
  readonly tax: Reading<number>;
  readonly gross: Reading<number>;
  /** What is to be paid, where it is less than the total: after a deposit, or tax that is withheld. */
  readonly payable: Reading<number>;
  /** Percent of each tax, with its amount. */
  readonly taxes: readonly { readonly rate: number; readonly amount: number }[];
}
