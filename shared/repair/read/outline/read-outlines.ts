import type { Bounds } from "../../bounds.ts";
import { readSpan } from "../read-span.ts";
import { readParameters } from "../shells/read-parameters.ts";
import { readXml } from "../read-xml.ts";
import { spend } from "../reader.ts";
import type { Tree } from "../tree.ts";
import { readMarkupTable } from "./read-markup-table.ts";
import { readPairs } from "./read-pairs.ts";
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
/** Cost of all forms, in steps a character. */
const OUTLINES_WORK = 16;

/**
 * Reads line-based forms: YAML, lists of names and values, tables, separated values; prose around them is dropped.
 * Only a contract can confirm such a reading.
 */
export function readOutlines(input: string, bounds: Bounds): OutlineReading[] {
  if (input.length > CHARS_MAX) return [];
  spend(bounds.work, input.length * OUTLINES_WORK);
  const [fenced, ...others] = fencedParts(input);
  if (others.length > 0) return [];
  const text = fenced ?? input.replaceAll("\r\n", "\n");
  const readFlow = (flow: string): Tree | undefined =>
    readSpan(flow, { start: 0, end: flow.length, fenced: false, label: "none", all: true }, bounds).span
      ?.tree;
  const yaml = (source: string): Tree | undefined =>
    readYaml(source, { depthMax: bounds.depthMax, readFlow });
  const parameters = readParameters(text, readFlow);
  if (parameters !== undefined) return [{ tree: parameters, cost: 3, step: "call_elements" }];
  const markup = readMarkupTable(text, readFlow);
  if (markup !== undefined) return [{ tree: markup, cost: 5, step: "table" }];
  const table = readTable(text);
  if (table !== undefined)
    return [
      { tree: table, cost: 5, step: "table" },
      ...readSections(text, readFlow).map((tree) => ({ tree, cost: 6, step: "pairs" })),
    ];
  const separated = readSeparated(text);
  const found: OutlineReading[] =
    separated === undefined ? [] : [{ tree: separated, cost: 6, step: "separated_values" }];
  const pairs = withoutProse(text).flatMap((source, index): OutlineReading[] =>
    readPairs(source, readFlow).map((tree) => ({ tree, cost: index === 0 ? 5 : 6, step: "pairs" })),
  );
  const outlines = withoutProse(text).flatMap((source, index): OutlineReading[] => {
    const tree = yaml(source);
    return tree === undefined ? [] : [{ tree, cost: index === 0 ? 5 : 6, step: "outline" }];
  });
  const xml = /^\s*</.test(text)
    ? (readXml(text, bounds.work) ?? readXml(`<answer>${text}</answer>`, bounds.work))
    : undefined;
  if (xml !== undefined) found.push({ tree: xml, cost: 6, step: "xml" });
  return [...found, ...outlines, ...pairs];
}

const FENCE_START = /^(?:```|~~~)\s*(?:ya?ml|csv|tsv|markdown|md|text|txt)?$/i;
const FENCE_END = /^(?:```|~~~)$/;

/** The first two blocks between fence lines. */
function fencedParts(input: string): string[] {
  const lines = input.split("\n");
  const marks = lines.map((line) => line.trim());
  const parts: string[] = [];
  for (let at = 0; at < lines.length && parts.length < 2; at += 1) {
    if (!FENCE_START.test(marks[at] ?? "")) continue;
    const end = marks.findIndex((mark, index) => index > at + 1 && FENCE_END.test(mark));
    // Without an end here, later fences have none either.
    if (end === -1) break;
    parts.push(lines.slice(at + 1, end).join("\n"));
    at = end;
  }
  return parts;
}

/** The text itself, then without its lead-in, its first paragraph, its last, and both, where those are prose. */
function withoutProse(text: string): string[] {
  const blocks = text.trim().split(/\n[^\S\n]*\n/);
  const first = isProse(blocks[0] ?? "") ? blocks.slice(1) : [];
  const last = isProse(blocks.at(-1) ?? "") ? blocks.slice(0, -1) : [];
  const neither = first.length > 0 && last.length > 0 ? blocks.slice(1, -1) : [];
  const kept = [first, last, neither].filter((one) => one.length > 0).map((one) => one.join("\n\n"));
  return [text, ...kept].flatMap((one) => [one, ...withoutLeadIn(one)]);
}

/** Returns true when no line of a paragraph is a name with a value, or a list item. */
function isProse(paragraph: string): boolean {
  return !paragraph
    .split("\n")
    .some((line) => /^\s*(?:[-*+•]\s|\d{1,4}[.)]\s)|^\s*[^\s:][^:]{0,40}:\s+\S/u.test(line));
}

/** Removes a lead-in line such as `Here is the list:`, unless it negates. */
function withoutLeadIn(text: string): string[] {
  const found = /^([^\n]{1,120}):[^\S\n]*\n([^]+)$/.exec(text.trimStart());
  return found === null || /\b(?:not|no|never|unable|cannot|sorry|instead)\b|n['’]t\b/i.test(found[1] ?? "")
    ? []
    : [found[2] ?? ""];
}
