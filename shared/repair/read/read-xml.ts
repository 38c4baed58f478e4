import { decodeEntities } from "./entities.ts";
import { grouped } from "./grouped.ts";
import { spend } from "./reader.ts";
import type { Work } from "./reader.ts";
import type { Entry, Tree } from "./tree.ts";

const TOKEN =
  /<!\[CDATA\[([^]*?)\]\]>|<(\/?)([A-Za-z_][\w.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/y;
const DEPTH_MAX = 64;
/** Cost of a tag or text besides its characters, in steps. */
const TOKEN_WORK = 20;

interface Element {
  readonly name: string;
  readonly entries: Entry[];
  text: string;
}

/**
 * Reads the one XML element of a text: child elements and attributes become members, repeated ones a
 * list, text stays text. The root's own name is dropped. No declarations, entities other than the five
 * standard ones, or comments: those are no answers.
 *
 * @returns undefined where the text is anything else, or an element with both text and children.
 */
export function readXml(text: string, work: Work): Tree | undefined {
  const source = elementIn(text);
  if (source === undefined) return undefined;
  spend(work, source.length);
  const token = new RegExp(TOKEN);
  const open: Element[] = [{ name: "", entries: [], text: "" }];
  while (token.lastIndex < source.length) {
    spend(work, TOKEN_WORK);
    const found = token.exec(source);
    if (found === null || !take(open, found)) return undefined;
  }
  const [root] = open;
  const [only, ...others] = root?.entries ?? [];
  return open.length === 1 && others.length === 0 && root?.text.trim() === "" && only?.value.kind === "object"
    ? only.value
    : undefined;
}

/** The text from the start of the first element to the end of the last; the rest is prose. */
function elementIn(text: string): string | undefined {
  const start = text.search(/<[A-Za-z_]/);
  const source = start === -1 ? "" : text.slice(start, text.lastIndexOf(">") + 1);
  return source === "" || /<!DOCTYPE|__proto__/.test(text) ? undefined : source;
}

function take(open: Element[], [, raw, slash, name, attributes, empty, text]: RegExpExecArray): boolean {
  const top = open.at(-1);
  if (top === undefined) return false;
  if (raw !== undefined) {
    top.text += raw.replaceAll("&", "&amp;");
    return true;
  }
  if (text !== undefined) {
    top.text += text;
    return true;
  }
  if (slash !== "/") {
    open.push({ name: name ?? "", entries: attributeEntries(attributes ?? ""), text: "" });
    return open.length <= DEPTH_MAX && (empty !== "/" || close(open, name ?? ""));
  }
  return attributes === "" && close(open, name ?? "");
}

function close(open: Element[], name: string): boolean {
  const element = open.pop();
  const parent = open.at(-1);
  if (element === undefined || parent === undefined || element.name !== name) return false;
  const hasText = element.text.trim() !== "";
  if (hasText && element.entries.length > 0) return false;
  const value: Tree =
    element.entries.length > 0
      ? { kind: "object", entries: grouped(element.entries) }
      : { kind: "string", text: decodeEntities(element.text.trim()), bare: false };
  parent.entries.push({ key: name, value });
  return true;
}

function attributeEntries(attributes: string): Entry[] {
  if (attributes === "") return [];
  return [...attributes.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(
    ([, key = "", double, single]) => ({
      key,
      value: { kind: "string", text: decodeEntities(double ?? single ?? ""), bare: false },
    }),
  );
}
