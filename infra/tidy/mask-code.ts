import { parseSync } from "oxc-parser";
import { isRecord } from "#shared/json";

export interface MaskedCode {
  /** As long as the code, line by line, with blanks for the contents of texts, patterns and comments. */
  readonly masked: string;
  /** Numbers of the lines that hold a comment, from 1. */
  readonly commentLines: ReadonlySet<number>;
}

type Range = readonly [start: number, end: number];

/** Blanks what is not code, so that a rule does not take a word in a text or a comment for a call. */
export function maskCode(path: string, code: string): MaskedCode {
  const { program, comments } = parseSync(path, code);
  const ofComments = comments.map(({ start, end }): Range => [start, end]);
  const chars = code.split("");
  for (const [start, end] of [...ofComments, ...textsIn(program, /\.m?ts$/.test(path))])
    for (let at = start; at < end; at += 1) if (chars[at] !== "\n") chars[at] = " ";
  const lineOf = (at: number): number => code.slice(0, at).split("\n").length;
  const lines = ofComments.flatMap(([start, end]) => {
    const first = lineOf(start);
    return Array.from({ length: lineOf(end) - first + 1 }, (_, index) => first + index);
  });
  return { masked: chars.join(""), commentLines: new Set(lines) };
}

/** Returns the insides of texts, patterns and parts of templates below a node. */
function textsIn(node: unknown, isTyped: boolean): Range[] {
  if (Array.isArray(node)) return node.flatMap((one) => textsIn(one, isTyped));
  if (!isRecord(node)) return [];
  const { type, value, start, end } = node;
  if (typeof start === "number" && typeof end === "number") {
    // In TypeScript the signs around a part belong to it.
    if (type === "TemplateElement")
      return [isTyped ? [start + 1, end - (node["tail"] === true ? 1 : 2)] : [start, end]];
    if (type === "Literal" && (typeof value === "string" || "regex" in node)) return [[start + 1, end - 1]];
  }
  return Object.values(node).flatMap((one) => textsIn(one, isTyped));
}
