import { WORK } from "../../bounds.ts";
import type { Bounds } from "../../bounds.ts";
import { aboveRemarks } from "../frames.ts";
import { readAll } from "../read-span.ts";
import { spend } from "../reader.ts";
import { grouped, plainName, plainScalar } from "../tree.ts";
import type { Entry, Tree } from "../tree.ts";
import { readXml } from "../xml.ts";
import { readSeparated, readTable } from "./read-table.ts";
import { readYaml } from "./read-yaml.ts";

interface OutlineReading {
  readonly tree: Tree;
  readonly cost: number;
  readonly step: string;
}

/** Longer texts are not read as outlines. */
const CHARS_MAX = 60_000;
/** A line in place of others: `- ...`, `- and 3 more`, `(3 more items omitted)`. */
const LEFT_OUT =
  /^[ \t]*(?:[-*+•]|\d{1,4}[.)])[ \t]+(?:\.{3}|…|and (?:\d+|many|several|a few) (?:more|others?)\b[^\n]{0,40})[ \t]*$|^[ \t]*[([][^\n]{0,60}\b(?:omitted|truncated|left out)\b[^\n]{0,60}[)\]][ \t]*$/im;

/** Reads YAML, lists of names and values, tables, separated values. Only a contract confirms such a reading. */
export function readOutlines(input: string, bounds: Bounds): OutlineReading[] {
  if (input.length > CHARS_MAX) return [];
  spend(bounds.work, input.length * WORK.outlineChar);
  const text = input.replaceAll("\r\n", "\n");
  // Neither percent-encoding nor YAML's anchors are resolved.
  if (/%(?:5B|7B|22)/i.test(text)) return [];
  if (/^[^"'\n]*[:-]\s+&[\w-]+(?:\s|$)/m.test(text) && /[:-]\s+\*[\w-]+\s*$/m.test(text)) return [];
  if (LEFT_OUT.test(text)) return [];
  const readFlow = (flow: string): Tree | undefined => readAll(flow, bounds).span?.tree;
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

/** A bullet, number or heading, a name in any emphasis, a separator on either side of it, and the value. */
const LINE =
  /^\s*(?:[-*+•▪‣◦·–—]\s+|\d{1,3}[.)]\s+|#{1,6}\s+|\|\s*)?[*_`"'“]{0,3}([\p{L}_$](?:[\p{L}\p{N}_ .$/()&'-]|\[\d{1,4}\]){0,60}?)[*_`"'”]{0,3}\s*([:：=]|->|→|=>|\s[-–—](?=\s))[*_`]{0,3}(?:\s+|(?<=[:：=]))([*_`]{0,3}\S.*|)$/u;

/** A line between records: a rule, a number of its own, `*** 1. row ***`, `-[ RECORD 2 ]---`, `## Person 2`. */
const BREAK =
  /^\s*(?:[-*=_]{3,}|\*{3}.{1,60}\*{3}|-\[ ?RECORD \d+ ?\].*|(?:#{1,6}\s+|\*\*)?[\p{L} ]{0,30}#?\d{1,4}[.):]?(?:\*\*)?)\s*$/u;

/** Reads lines of a name and a value in any emphasis. A repeated name begins the next object, or item. */
function readLabelled(text: string, readFlow: (text: string) => Tree | undefined): Tree[] {
  const records: Entry[][] = [[]];
  for (const line of linesOf(text)) {
    if (line.trim() === "") continue;
    if (BREAK.test(line) && text.includes("\n")) {
      if (records.at(-1)?.length !== 0) records.push([]);
      continue;
    }
    const entry = entryOf(line, readFlow);
    if (entry === undefined) return [];
    if (records.at(-1)?.some(({ key }) => key === entry.key) === true) records.push([]);
    records.at(-1)?.push(entry);
  }
  // A number behind the last record is no beginning of another one.
  if (records.length > 1 && records.at(-1)?.length === 0 && /\d\W*$/.test(text)) return [];
  const trees = records.filter((entries) => entries.length > 0).map(toObject);
  const [only, ...others] = trees;
  if (only === undefined) return [];
  if (others.length === 0) return [only];
  return [{ kind: "array", items: trees }, toObject(grouped(records.flat()))];
}

/** The lines of a text; the parts of its only line where bars separate them. */
function linesOf(text: string): string[] {
  const plain = text.trim();
  return plain.includes("\n") || plain.startsWith("|") ? text.split("\n") : plain.split(/\s\|\s/);
}

function toObject(entries: readonly Entry[]): Tree {
  return { kind: "object", entries };
}

function entryOf(line: string, readFlow: (text: string) => Tree | undefined): Entry | undefined {
  const found = LINE.exec(line);
  if (found === null) return undefined;
  const written = withoutEmphasis((found[3] ?? "").trim());
  const flow = /^(?:\[.*\]|\{.*\})$/.test(written) ? readFlow(written) : undefined;
  const value: Tree = written === "" ? { kind: "literal", value: null } : (flow ?? plainScalar(written));
  return { key: (found[1] ?? "").trim(), value };
}

/** Takes off emphasis that covers the whole value. */
function withoutEmphasis(value: string): string {
  return /^(\*\*|__|`|\*|_)([^*`]+)\1$/.exec(value)?.[2] ?? value;
}

/** A heading, a name in bold, or a name with its colon, alone on its line or before the first of its lines. */
const HEAD = new RegExp(
  [
    String.raw`^#{1,6}[ \t]+(\S.{0,80}?)[ \t]*$`,
    String.raw`^(\*\*|__)([^*_:\n]{1,80}):?\2[ \t]*:?([ \t]+\S.*|)$`,
    String.raw`^([\p{L}][\p{L}\p{N} _/()-]{0,60}):([ \t]+\S.*|)$`,
  ].join("|"),
  "u",
);

const ITEM = /^\s*(?:[-*+•]|\d{1,4}[.)])\s+(\S.*)$/u;

interface Section {
  readonly key: string;
  readonly lines: string[];
  /** True where the first line stands beside the name. */
  readonly hasValue: boolean;
}

/** Reads names with what stands below each: one text, bullets or a table. None for text before the first name. */
function readSections(text: string, readFlow: (text: string) => Tree | undefined): Tree[] {
  const sections: Section[] = [];
  for (const line of text.split("\n")) {
    const found = HEAD.exec(line.trimEnd());
    if (found === null) {
      if (line.trim() === "" && sections.length === 0) continue;
      const section = sections.at(-1);
      if (section === undefined) return [];
      section.lines.push(line);
      continue;
    }
    const [, heading, , name, value, label, rest] = found;
    const first = (value ?? rest ?? "").trim();
    sections.push({
      key: plainName(heading ?? name ?? label ?? ""),
      lines: first === "" ? [] : [first],
      hasValue: first !== "",
    });
  }
  // A title is above the sections and holds nothing itself.
  const [title, ...others] = sections;
  const hasTitle = /^\s*#/.test(text) && title?.lines.every((line) => line.trim() === "") === true;
  if (hasTitle && others.length > 0) sections.shift();
  const isMixed = sections.some(
    ({ lines, hasValue }) =>
      // A text below a value and an empty line is rather a remark.
      (hasValue && /\n\s*\n\s*\S/.test(lines.join("\n"))) ||
      lines.some((line) => /^\s*(?:```|~~~)/.test(line)) ||
      (lines.some(isRow) && !lines.every((line) => line === "" || isRow(line))),
  );
  if (sections.length === 0 || isMixed) return [];
  return [() => undefined, readLabelled].map((read) => {
    const valueOf = ({ lines, hasValue }: Section): Tree =>
      (hasValue ? undefined : read(lines.join("\n"), readFlow)?.[0]) ?? bodyOf(lines);
    return { kind: "object", entries: sections.map((one) => ({ key: one.key, value: valueOf(one) })) };
  });
}

function isRow(line: string): boolean {
  return /^\s*\|/.test(line);
}

function bodyOf(lines: readonly string[]): Tree {
  const table = readTable(lines.join("\n"));
  if (table !== undefined) return table;
  const items = lines.filter((line) => line.trim() !== "").map((line) => ITEM.exec(line)?.[1]);
  if (items.length > 0 && items.every((item) => item !== undefined))
    return { kind: "array", items: items.map((item) => plainScalar(item)) };
  return plainScalar(lines.join("\n").trim());
}
