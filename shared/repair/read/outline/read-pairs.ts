import { aboveRemarks } from "../frames.ts";
import type { Entry, Tree } from "../tree.ts";
import { plainName } from "./plain-name.ts";
import { plainScalar } from "./plain-scalar.ts";
import { readLabelled } from "./read-labelled.ts";
import { readSections } from "./read-sections.ts";

/** Separators between a name and its value on one line. */
const SEPARATORS: readonly RegExp[] = [
  /\t\s*/,
  /\|\s*/,
  /(?:->|→|⇒|=>)\s*/,
  /=\s*/,
  /[;,]\s*/,
  /\.{3,}\s*/,
  /\s{2,}/,
];

/** The head of two columns, of names and of values. */
const HEAD_OF_TWO =
  /^\W{0,3}(?:field|key|name|column|property|attribute|member)\b\W{1,6}(?:value|content|wert|valeur)s?\W{0,3}$/i;

const NAME = /^[\p{L}_*"'][\p{L}\p{N}_ .*"'[\]-]{0,120}$/u;

/**
 * Reads names with their values, in whatever marks: `a = 1` and `a | 1` by lines, `a: 1, b: 2` on one,
 * headings with what stands below them. Almost any prose fits one of these: only a contract that knows all the names
 * can tell.
 *
 * @param readFlow - Reads a text in JSON's own marks, damaged or not; undefined where it is none.
 */
export function readPairs(text: string, readFlow: (text: string) => Tree | undefined): Tree[] {
  // Emphasis is no part of JSON, and a text that is not closed would take in the remarks below.
  const inBraces =
    aboveRemarks(text) === undefined &&
    /^\s*[\p{L}_"':][\p{L}\p{N}_ ."'-]{0,60}[:=](?!\*)/u.test(text) &&
    !/^[ \t]*(?:[-*+] )?\*\*/m.test(text)
      ? readFlow(`{${text}\n}`)
      : undefined;
  const lines = readLines(text, readFlow);
  const labelled = readLabelled(text, readFlow);
  return [lines, ...labelled, ...readSections(text, readFlow), inBraces].filter((tree) => tree !== undefined);
}

function readLines(text: string, readFlow: (text: string) => Tree | undefined): Tree | undefined {
  const given = text.split("\n").filter((line) => line.trim() !== "" && !/^\s*[#;](?!#)/.test(line));
  const lines = given
    .slice(HEAD_OF_TWO.test(given[0] ?? "") ? 1 : 0)
    .map((line) => line.replace(/;\s*$/, ""));
  for (const separator of SEPARATORS) {
    const entries = lines.map((line): Entry | undefined => {
      const found = separator.exec(line.trim());
      if (found === null) return undefined;
      const key = line.trim().slice(0, found.index).trimEnd();
      const value = line.trim().slice(found.index + found[0].length);
      // A text that goes on in the next line is none of these forms.
      const isWhole = NAME.test(key) && !/^"[^"]*$/.test(value);
      return isWhole ? { key: plainName(key), value: valueOf(value, readFlow) } : undefined;
    });
    const whole = entries.filter((entry) => entry !== undefined);
    if (whole.length === lines.length && whole.length > 0) return { kind: "object", entries: whole };
  }
  return undefined;
}

/** A scalar, or a list or object on one line. */
function valueOf(text: string, readFlow: (text: string) => Tree | undefined): Tree {
  return (/^(?:\[.*\]|\{.*\})$/.test(text) ? readFlow(text) : undefined) ?? plainScalar(text);
}
