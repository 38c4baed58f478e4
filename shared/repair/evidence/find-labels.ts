/** A range of a text, in UTF-16 units; the end is exclusive. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** A name with the text that follows it. */
export interface Label {
  readonly name: string;
  /** Range of the name. */
  readonly at: TextSpan;
  /** Range of the value's text: to the end of its string, item or line. */
  readonly value: TextSpan;
}

/** A quoted name before a colon, or a bare one where a line or a member begins. */
const LABEL =
  /(["'`])([^"'`\\\n:{}[\]]{1,80})\\*\1\s{0,9}(?::|=>|=|->)|(?<=^|[\n{[(,;|>]|\\n)[ \t]*(?:[-*+•][ \t]+)?[*_:]{0,3}([\p{L}_$][\p{L}\p{N}_. -]{0,60}?)[*_]{0,3}[ \t]*(?::(?!\/\/)|=>?|->)[*_]{0,3}/gu;

/** Maximum length of a value's text. */
const VALUE_CHARS_MAX = 4_000;

/** Finds all names in a text that a value follows: of members, lines, variables and arguments. */
export function findLabels(text: string): Label[] {
  return [...text.matchAll(LABEL)].map((found) => {
    const name = found[2] ?? found[3] ?? "";
    const start = found.index + found[0].indexOf(name);
    const after = found.index + found[0].length;
    return { name, at: { start, end: start + name.length }, value: valueAfter(text, after) };
  });
}

const QUOTED = /^\s*\\*(["'`])((?:\\.|(?!\1)[^\\])*?)\\*\1/s;
const BARE = /^[ \t]*([^\n,;{}[\]<|]*)/;

function valueAfter(text: string, from: number): TextSpan {
  const rest = text.slice(from, from + VALUE_CHARS_MAX);
  const quoted = QUOTED.exec(rest);
  const inner = quoted?.[2] ?? BARE.exec(rest)?.[1]?.trimEnd() ?? "";
  const whole = quoted?.[0] ?? rest;
  const start = from + (inner === "" ? 0 : whole.indexOf(inner));
  return { start, end: start + inner.length };
}
