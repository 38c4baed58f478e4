import { isObject } from "#shared/schema";
import type { JsonValue } from "#shared/schema";

export type Scalar = string | number | boolean | null;

const isScalar = (value: JsonValue): value is Scalar => typeof value !== "object" || value === null;

/** The members of an object of scalars; undefined for anything else. */
export function flatMembers(value: JsonValue): [string, Scalar][] | undefined {
  if (!isObject(value)) return undefined;
  const members = Object.entries(value).flatMap(([name, inner]): [string, Scalar][] =>
    isScalar(inner) ? [[name, inner]] : [],
  );
  return members.length > 0 && members.length === Object.keys(value).length ? members : undefined;
}

export interface FlatRows {
  readonly names: readonly string[];
  /** Undefined where a row lacks the member. */
  readonly rows: readonly (readonly (Scalar | undefined)[])[];
}

/** A list of objects of scalars as rows; undefined for anything else. */
export function flatRows(value: JsonValue): FlatRows | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const members = value.map(flatMembers);
  if (members.includes(undefined)) return undefined;
  const names = [...new Set(members.flatMap((row) => (row ?? []).map(([name]) => name)))];
  const rows = members.map((row) => names.map((name) => Object.fromEntries(row ?? [])[name]));
  return { names, rows };
}

/**
 * The text of a scalar where nothing marks its end but the line's. Undefined for what would not survive: text with
 * line breaks, blanks at its ends, or a first character that means something in most notations.
 */
export function bareLine(value: Scalar): string | undefined {
  if (typeof value !== "string") return String(value);
  if (value === "" || value.trim() !== value || /[\n\r\t]/.test(value)) return undefined;
  return /^["'`*_#>|&!%@[{(~-]|["'`*_\\:]$|^(?:null|none|nil|true|false|yes|no|n\/a)$/i.test(value)
    ? undefined
    : value;
}

/** All of them, or undefined where one is missing. */
export function all<Item>(items: readonly (Item | undefined)[]): Item[] | undefined {
  const there = items.flatMap((item) => (item === undefined ? [] : [item]));
  return there.length === items.length ? there : undefined;
}
