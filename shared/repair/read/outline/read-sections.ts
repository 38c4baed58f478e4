import type { Tree } from "../tree.ts";
import { plainName, plainScalar } from "./plain-scalar.ts";
import { readLabelled } from "./read-labelled.ts";
import { readTable } from "./read-table.ts";

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

/**
 * Reads names with what stands below each: `## City` and `Oslo`, `**Points**` and bullets, `Lines:` and a table.
 * Bullets are a list of texts as they are, and objects where they hold names with values; other lines are one text.
 * None where a text begins before the first name.
 *
 * @param readFlow - Reads a text in JSON's own marks; undefined where it is none.
 */
export function readSections(text: string, readFlow: (text: string) => Tree | undefined): Tree[] {
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
