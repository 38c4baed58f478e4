import { XmlText } from "../xml/xml-text.ts";
import type { Tag } from "../xml/xml-text.ts";
import { grouped } from "./tree.ts";
import { spend } from "./reader.ts";
import type { Work } from "./reader.ts";
import type { Entry, Tree } from "./tree.ts";

const DEPTH_MAX = 64;
/** Cost of a tag besides its characters, in steps. */
const TAG_WORK = 20;

/**
 * Reads the one XML element of a text: child elements and attributes become members, repeated ones a list, text stays
 * text. The root's own name is dropped.
 *
 * @returns undefined where the text is anything else, or an element with both text and children.
 */
export function readXml(text: string, work: Work): Tree | undefined {
  if (/<!DOCTYPE|__proto__/.test(text)) return undefined;
  spend(work, text.length);
  try {
    const source = new XmlText(text);
    const root = source.findFirstTag();
    const tree = root === null ? undefined : elementOf(source, root, { depth: 0, work });
    return tree?.kind === "object" && !source.rest.includes("<") ? tree : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** @throws {RangeError} It does not end, or is no data. */
function elementOf(source: XmlText, tag: Tag, { depth, work }: { depth: number; work: Work }): Tree {
  spend(work, TAG_WORK);
  if (depth > DEPTH_MAX) throw new RangeError();
  const entries = [...tag.attributes].map(([key, text]): Entry => ({
    key,
    value: { kind: "string", text, bare: false },
  }));
  let words = "";
  let next = tag.isEmpty ? null : source.nextIn(tag.name);
  for (; next !== null; next = source.nextIn(tag.name)) {
    if (next === "<") throw new RangeError();
    if (typeof next === "string") words += next;
    else entries.push({ key: next.name, value: elementOf(source, next, { depth: depth + 1, work }) });
  }
  if (entries.length === 0) return { kind: "string", text: words.trim(), bare: false };
  if (words.trim() !== "") throw new RangeError();
  return { kind: "object", entries: grouped(entries) };
}
