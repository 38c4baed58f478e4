import { literalOf } from "../literal.ts";
import { JSON_NUMBER } from "../tree.ts";
import type { Tree } from "../tree.ts";

/** Reads a scalar without JSON quotes: `12`, `true`, `'it''s'`, `plain words`. Removes emphasis. */
export function plainScalar(written: string): Tree {
  const text = written.trim().replace(/^(\*\*|__|`)([^]+)\1$/, "$2");
  if (text === "~") return { kind: "literal", value: null, written: text };
  const literal = literalOf(text);
  if (literal !== undefined) return literal;
  if (JSON_NUMBER.test(text)) return { kind: "number", raw: text };
  const single = /^'((?:[^']|'')*)'$/.exec(text)?.[1];
  if (single !== undefined) return { kind: "string", text: single.replaceAll("''", "'"), bare: false };
  const double = /^"(?:[^"\\]|\\.)*"$/.test(text) ? unquoted(text) : undefined;
  return { kind: "string", text: double ?? text, bare: double === undefined };
}

function unquoted(text: string): string | undefined {
  try {
    // A quoted JSON text parses to a string and to nothing else.
    return JSON.parse(text) as string;
  } catch {
    return undefined;
  }
}

/** Strips emphasis, quotes and the colon from a name. Longer texts are no names. */
export function plainName(name: string): string {
  if (name.length > 200) return name;
  return name
    .trim()
    .replaceAll(/^[*_"'`]+|[*_"'`:]+$/g, "")
    .trim();
}
