import { diffLines } from "diff";
import { isSource } from "../checkout/project-path.ts";

/** A line that a diff writes. */
export interface ChangedLine {
  readonly path: string;
  /** In the new file, from 1. */
  readonly line: number;
  readonly text: string;
}

/** Returns the lines of code that are new in a file; lines without any word or operator are left out. */
export function listChangedLines(path: string, before: string, after: string): ChangedLine[] {
  if (!isSource(path)) return [];
  const changed: ChangedLine[] = [];
  let line = 1;
  for (const { value, added, removed, count } of diffLines(before, after)) {
    if (removed) continue;
    if (added) {
      const texts = value.replace(/\n$/, "").split("\n");
      changed.push(...texts.map((text, index) => ({ path, line: line + index, text })));
    }
    line += count;
  }
  return changed.filter(({ text }) => /[\w<>=+\-*/!]/.test(text) && !isComment(text));
}

function isComment(text: string): boolean {
  return /^\s*(?:\/\/|\/?\*)/.test(text);
}

/** A line with one condition or number changed. */
export interface Mutant extends ChangedLine {
  readonly mutated: string;
}

/** Strings and comments, which are passed over, then numbers, words and operators of conditions. */
const TOKEN = new RegExp(
  [
    String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|` + "`(?:[^`\\\\]|\\\\.)*`",
    String.raw`\/\/.*`,
    String.raw`(?<number>\b\d+(?:\.\d+)?\b)`,
    String.raw`(?<word>[A-Za-z_$][\w$]*)`,
    String.raw`=>|<<|>>|(?<operator>===|!==|<=|>=|==|!=|&&|\|\||[<>])`,
  ].join("|"),
  "g",
);

/** Replacements of the operators and words of a condition, by what they replace. */
const OTHERS: ReadonlyMap<string, string> = new Map([
  ["<", "<="],
  ["<=", "<"],
  [">", ">="],
  [">=", ">"],
  ["==", "!="],
  ["!=", "=="],
  ["===", "!=="],
  ["!==", "==="],
  ["&&", "||"],
  ["||", "&&"],
  ["true", "false"],
  ["false", "true"],
]);

/** Returns a line with each of its conditions and numbers changed, one at a time. */
export function listMutants(changed: ChangedLine): Mutant[] {
  const { text } = changed;
  return [...text.matchAll(TOKEN)].flatMap(({ index, 0: token, groups }) => {
    const isNumber = groups?.["number"] !== undefined;
    const other = isNumber ? String(Number(token) + 1) : OTHERS.get(token);
    if (other === undefined) return [];
    return [{ ...changed, mutated: text.slice(0, index) + other + text.slice(index + token.length) }];
  });
}
