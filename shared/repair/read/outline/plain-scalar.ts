import { JSON_NUMBER } from "../tree.ts";
import type { Tree } from "../tree.ts";

const LITERALS: Readonly<Record<string, boolean | null>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  null: null,
  Null: null,
  "~": null,
};

/** Reads a scalar without JSON quotes: `12`, `true`, `'it''s'`, `plain words`. Removes emphasis. */
export function plainScalar(written: string): Tree {
  const text = written.trim().replace(/^(\*\*|__|`)([^]+)\1$/, "$2");
  if (Object.hasOwn(LITERALS, text)) {
    const value = LITERALS[text] ?? null;
    return { kind: "literal", value, ...(text !== String(value) && { written: text }) };
  }
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
