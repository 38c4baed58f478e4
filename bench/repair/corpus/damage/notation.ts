import { isObject } from "#shared/schema";
import type { JsonValue } from "#shared/schema";

/** How a programming language writes a value. */
export interface Notation {
  readonly text: (text: string) => string | undefined;
  readonly nil: string;
  readonly yes: string;
  readonly no: string;
  readonly list: readonly [string, string];
  readonly object: readonly [string, string];
  readonly member: (name: string, value: string) => string | undefined;
  readonly comma?: string;
  /** Each member on its own line, indented. */
  readonly isIndented?: boolean;
}

/** Writes the value; undefined where the notation cannot hold a part of it. */
export function write(value: JsonValue, notation: Notation, indent = ""): string | undefined {
  if (value === null) return notation.nil;
  if (typeof value === "boolean") return value ? notation.yes : notation.no;
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return notation.text(value);
  const inner = `${indent}  `;
  const parts = isObject(value)
    ? Object.entries(value).map(([name, one]) => {
        const text = write(one, notation, inner);
        return text === undefined ? undefined : notation.member(name, text);
      })
    : value.map((item) => write(item, notation, inner));
  if (parts.includes(undefined)) return undefined;
  const [open, close] = isObject(value) ? notation.object : notation.list;
  const comma = notation.comma ?? ",";
  if (parts.length === 0) return open + close;
  return notation.isIndented === true
    ? `${open}\n${inner}${parts.join(`${comma}\n${inner}`)}\n${indent}${close}`
    : `${open}${parts.join(`${comma} `)}${close}`;
}

const ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\t": "\\t", "\r": "\\r", "\\": "\\\\" };

/** A text in the quotation mark, with the escapes that all C-like languages share. */
export const quoted = (text: string, mark: string): string =>
  mark + text.replaceAll(/[\n\t\r\\]/g, (one) => ESCAPES[one] ?? one).replaceAll(mark, `\\${mark}`) + mark;

export const doubleQuoted = (text: string): string => quoted(text, '"');
export const singleQuoted = (text: string): string => quoted(text, "'");

/** As Python prints text: in single quotes, or in double ones where it holds single ones alone. */
export const pythonText = (text: string): string =>
  text.includes("'") && !text.includes('"') ? doubleQuoted(text) : singleQuoted(text);

export const isIdentifier = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);
