import type { Bounds } from "../../bounds.ts";
import { aboveRemarks } from "../frames.ts";
import { readSpan } from "../read-span.ts";
import { readXml } from "../read-xml.ts";
import { spend } from "../reader.ts";
import type { Tree } from "../tree.ts";
import { readLabelled } from "./read-labelled.ts";
import { readSections } from "./read-sections.ts";
import { readSeparated, readTable } from "./read-table.ts";
import { readYaml } from "./read-yaml.ts";

export interface OutlineReading {
  readonly tree: Tree;
  readonly cost: number;
  readonly step: string;
}

/** Longer texts are not read as outlines. */
const CHARS_MAX = 60_000;
/** A line in place of others: `- ...`, `- and 3 more`, `(3 more items omitted)`. */
const LEFT_OUT =
  /^[ \t]*(?:[-*+•]|\d{1,4}[.)])[ \t]+(?:\.{3}|…|and (?:\d+|many|several|a few) (?:more|others?)\b[^\n]{0,40})[ \t]*$|^[ \t]*[([][^\n]{0,60}\b(?:omitted|truncated|left out)\b[^\n]{0,60}[)\]][ \t]*$/im;
/** Cost of all forms, in steps a character. */
const OUTLINES_WORK = 16;

/**
 * Reads line-based forms: YAML, lists of names and values, tables, separated values. Only a contract can confirm such
 * a reading.
 */
export function readOutlines(input: string, bounds: Bounds): OutlineReading[] {
  if (input.length > CHARS_MAX) return [];
  spend(bounds.work, input.length * OUTLINES_WORK);
  const text = input.replaceAll("\r\n", "\n");
  // Neither percent-encoding nor YAML's anchors are resolved.
  if (/%(?:5B|7B|22)/i.test(text)) return [];
  if (/^[^"'\n]*[:-]\s+&[\w-]+(?:\s|$)/m.test(text) && /[:-]\s+\*[\w-]+\s*$/m.test(text)) return [];
  if (LEFT_OUT.test(text)) return [];
  const readFlow = (flow: string): Tree | undefined =>
    readSpan(flow, { start: 0, end: flow.length, fenced: false, all: true }, bounds).span?.tree;
  const table = readTable(text);
  if (table !== undefined)
    return [
      { tree: table, cost: 5, step: "table" },
      ...readSections(text, readFlow).map((tree) => ({ tree, cost: 6, step: "pairs" })),
    ];
  const separated = readSeparated(text);
  const found: OutlineReading[] =
    separated === undefined ? [] : [{ tree: separated, cost: 6, step: "separated_values" }];
  const pairs = [readLabelled, readSections, readMembers].flatMap((read) => read(text, readFlow));
  const outline = readYaml(text, readFlow);
  if (outline !== undefined) found.push({ tree: outline, cost: 5, step: "outline" });
  const xml = /^\s*</.test(text)
    ? (readXml(text, bounds.work) ?? readXml(`<answer>${text}</answer>`, bounds.work))
    : undefined;
  if (xml !== undefined) found.push({ tree: xml, cost: 6, step: "xml" });
  return [...found, ...pairs.map((tree) => ({ tree, cost: 5, step: "pairs" }))];
}

/** Reads members without braces: `a: 1, b: 2`. A text that is not closed would take in the remarks below. */
function readMembers(text: string, readFlow: (text: string) => Tree | undefined): Tree[] {
  const isPlain =
    /^\s*[\p{L}_"':][\p{L}\p{N}_ ."'-]{0,60}[:=](?!\*)/u.test(text) && !/^[ \t]*(?:[-*+] )?\*\*/m.test(text);
  const tree = isPlain && aboveRemarks(text) === undefined ? readFlow(`{${text}\n}`) : undefined;
  return tree === undefined ? [] : [tree];
}
