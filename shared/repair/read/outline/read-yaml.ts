import { DEPTH_MAX } from "../../bounds.ts";
import { plainScalar } from "../tree.ts";
import type { Entry, Tree } from "../tree.ts";

interface Line {
  readonly indent: number;
  readonly text: string;
  /** The line with its indentation. */
  readonly whole: string;
}

/** The lines of an outline with the reading position. */
interface Outline {
  readonly lines: Line[];
  at: number;
  /** Reads a JSON list or object; undefined for other text. */
  readonly readFlow: (text: string) => Tree | undefined;
}

class NoOutline extends Error {}

const KEY =
  /^(?:(?:"([^"]{1,200})"|'([^']{1,200})')\s{0,200}|([^\s:#"'[\]{}|>*`&!%@,-][^:#[\]{}|]{0,299})):(?:\s+(.*))?$/u;
const ITEM = /^(?:[-*+•]|\d{1,4}[.)])(?:\s+(.*))?$/u;

/** Reads YAML without anchors and tags, and bullets with bold names. Undefined when any line is something else. */
export function readYaml(text: string, readFlow: Outline["readFlow"]): Tree | undefined {
  const lines = text.split("\n").map((line) => ({
    indent: line.length - line.trimStart().length,
    text: line.trim(),
    whole: line.trimEnd(),
  }));
  const outline: Outline = { lines, at: 0, readFlow };
  try {
    const tree = readBlock(outline, 0);
    return tree !== undefined && nextLine(outline) === undefined ? tree : undefined;
  } catch (error) {
    if (error instanceof NoOutline) return undefined;
    throw error;
  }
}

/** Returns the next line; skips blank lines and comments. */
function nextLine(outline: Outline): Line | undefined {
  for (; outline.at < outline.lines.length; outline.at += 1) {
    const line = outline.lines[outline.at];
    if (line !== undefined && line.text !== "" && !/^(?:#|---$|\.\.\.$)/.test(line.text)) return line;
  }
  return undefined;
}

function keyOf(text: string): { key: string; rest: string } | undefined {
  const found = KEY.exec(text);
  return found === null
    ? undefined
    : { key: found[1] ?? found[2] ?? (found[3] ?? "").trimEnd(), rest: found[4] ?? "" };
}

/** Reads a mapping or list at the next line's indentation. */
function readBlock(outline: Outline, depth: number): Tree | undefined {
  const first = nextLine(outline);
  if (first === undefined || depth > DEPTH_MAX) return undefined;
  if (ITEM.test(first.text)) return readItems(outline, { indent: first.indent, depth });
  if (keyOf(first.text) !== undefined) return readMapping(outline, { indent: first.indent, depth });
  return undefined;
}

interface Level {
  readonly indent: number;
  readonly depth: number;
}

function readMapping(outline: Outline, { indent, depth }: Level): Tree {
  const entries: Entry[] = [];
  for (let line = nextLine(outline); line?.indent === indent; line = nextLine(outline)) {
    const found = keyOf(line.text);
    if (found === undefined) throw new NoOutline();
    outline.at += 1;
    entries.push({ key: found.key, value: readMember(outline, { rest: found.rest, indent, depth }) });
  }
  const after = nextLine(outline);
  if (after !== undefined && after.indent > indent) throw new NoOutline();
  return { kind: "object", entries };
}

function readMember(outline: Outline, { rest, indent, depth }: Level & { rest: string }): Tree {
  const value = withoutComment(rest);
  const block = /^([|>])[+-]?\d?$/.exec(value);
  if (block !== null)
    return readBlockText(outline, { indent, folded: block[1] === ">", strips: value.includes("-") });
  if (value !== "") return readInline(outline, { value, indent });
  const next = nextLine(outline);
  const isItem = next !== undefined && ITEM.test(next.text);
  if (next === undefined || next.indent < indent || (next.indent === indent && !isItem))
    return { kind: "literal", value: null };
  const tree = readBlock(outline, depth + 1);
  if (tree === undefined) throw new NoOutline();
  return tree;
}

function readItems(outline: Outline, { indent, depth }: Level): Tree {
  const items: Tree[] = [];
  for (let line = nextLine(outline); line?.indent === indent; line = nextLine(outline)) {
    const found = ITEM.exec(line.text);
    if (found === null) break;
    const rest = found[1] ?? "";
    const inner = indent + line.text.length - rest.length;
    if (rest !== "" && (keyOf(rest) !== undefined || ITEM.test(rest))) {
      // The text after the dash is the first line of a nested block.
      outline.lines[outline.at] = { indent: inner, text: rest, whole: rest };
      const tree = readBlock(outline, depth + 1);
      if (tree === undefined) throw new NoOutline();
      items.push(tree);
    } else {
      outline.at += 1;
      items.push(readMember(outline, { rest, indent: indent + 1, depth }));
    }
  }
  return { kind: "array", items };
}

/** Reads a value on its name's line, with the further indented lines below. */
function readInline(outline: Outline, { value, indent }: { value: string; indent: number }): Tree {
  const parts = [value];
  for (let line = nextLine(outline); line !== undefined && line.indent > indent; line = nextLine(outline)) {
    if (keyOf(line.text) !== undefined || ITEM.test(line.text)) throw new NoOutline();
    parts.push(line.text);
    outline.at += 1;
  }
  const text = parts.join(" ");
  if (!/^[[{]/.test(text)) return plainScalar(text);
  const flow = outline.readFlow(text);
  if (flow === undefined) throw new NoOutline();
  return flow;
}

function readBlockText(
  outline: Outline,
  { indent, folded, strips }: { indent: number; folded: boolean; strips: boolean },
): Tree {
  const lines: Line[] = [];
  for (; outline.at < outline.lines.length; outline.at += 1) {
    const line = outline.lines[outline.at];
    if (line === undefined || (line.text !== "" && line.indent <= indent)) break;
    lines.push(line);
  }
  while (lines.at(-1)?.text === "") lines.pop();
  const least = Math.min(...lines.filter((line) => line.text !== "").map((line) => line.indent));
  const text = lines.map(({ whole }) => whole.slice(least)).join(folded ? " " : "\n");
  return { kind: "string", text: strips ? text : `${text}\n`, bare: false };
}

/** Strips a comment, with blanks on both sides of its mark and outside of quotes: `Order #1042` has none. */
function withoutComment(rest: string): string {
  if (/^["'[{]/.test(rest)) return rest.replace(/^("(?:[^"\\]|\\.)*"|'[^']*')\s+#.*$/, "$1").trim();
  const at = rest.search(/(?:^|\s)#(?=\s|$)/);
  return (at === -1 ? rest : rest.slice(0, at)).trim();
}
