import { aboveRemarks } from "../frames.ts";
import type { Entry, Tree } from "../tree.ts";
import { nestNames } from "./nested-names.ts";
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
 * Reads names with their values, in whatever marks: `a = 1` and `a | 1` by lines, `a: 1, b: 2` and `a=1&b=2` on one,
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
  return [
    ...[lines, ...labelled].map((tree) => (tree?.kind === "object" ? nestNames(tree.entries) : undefined)),
    lines,
    ...labelled,
    readQuery(text),
    ...readSections(text, readFlow),
    inBraces,
  ].filter((tree) => tree !== undefined);
}

function readLines(text: string, readFlow: (text: string) => Tree | undefined): Tree | undefined {
  const lines = assignments(text.split("\n").filter((line) => line.trim() !== ""));
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

/** Takes off what configuration files and shells put before names: one section's head, `export`, `set`, comments. */
function assignments(lines: readonly string[]): string[] {
  const said = lines
    .filter((line, at) => at > 0 || !HEAD_OF_TWO.test(line))
    .filter((line) => !/^\s*[#;]/.test(line) || /^\s*#{1,6}\s/.test(line));
  const heads = said.filter((line) => SECTION.test(line));
  const isOne = heads.length === 1 && SECTION.test(said[0] ?? "") && !heads[0]?.includes("[[");
  const body = isOne ? said.slice(1) : withSections(said);
  return body.map((line) => {
    const plain = line.replace(SHELL, "");
    // A shell has texts alone: quotes around null do not make it one.
    const unquoted = plain === line ? line : plain.replace(/=(["'])null\1/, "=null");
    return unquoted.replace(/;\s*$/, "");
  });
}

const SHELL = /^\s*(?:export|set|setenv|ENV|\$env:)\s?/;

/** `[section]` of INI and TOML, `[[item]]` of TOML. */
const SECTION = /^\s*(\[?)\[([\p{L}][\p{L}\p{N}_ .-]{0,60})\]\]?\s*$/u;

/** Puts the section's name before the names in it, with the number of its turn where it is an item. */
function withSections(lines: readonly string[]): string[] {
  const turns = new Map<string, number>();
  let prefix = "";
  return lines.flatMap((line) => {
    const [, isItem, name = ""] = SECTION.exec(line) ?? [];
    if (isItem === undefined) return [prefix + line.trim()];
    const turn = turns.get(name) ?? 0;
    turns.set(name, turn + 1);
    prefix = isItem === "[" ? `${name}[${turn}].` : `${name}.`;
    return [];
  });
}

/** Reads a form's query string, `a=1&b=two%20words`. */
function readQuery(text: string): Tree | undefined {
  const query = text.trim().replace(/^\?/, "");
  if (!/^[\w.[\]-]+=[^\s&]*(?:&[\w.[\]-]+=[^\s&]*)+$/.test(query)) return undefined;
  const entries = [...new URLSearchParams(query)].map(([key, value]) => ({ key, value: plainScalar(value) }));
  return { kind: "object", entries };
}
