import { WORK } from "../bounds.ts";
import type { Work } from "../bounds.ts";
import { spend } from "./reader.ts";
import { decodeEntities } from "./text-forms.ts";
import { grouped } from "./tree.ts";
import type { Entry, Tree } from "./tree.ts";

const DEPTH_MAX = 64;

/** Reads a text's one XML element: children and attributes become members. Undefined for text beside children. */
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
  spend(work, WORK.tag);
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

/** An opening tag. */
export interface Tag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** `<name/>`: no content and no closing tag. */
  readonly isEmpty: boolean;
}

const OPEN = /<([A-Za-z_][\w.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/y;
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const CLOSE_END = /\s*>/y;
const BLANKS = /\s*/y;
const CDATA = "<![CDATA[";
const CDATA_END = "]]>";

/**
 * Reads XML from start to end, once. No declarations and only the standard entities: nothing that fetches or expands.
 * Throws a RangeError for an element that does not end, and for a tag with one attribute twice.
 */
export class XmlText {
  private readonly text: string;
  private at = 0;
  /** Cached offset of the next CDATA section; infinite for none. */
  private cdataAt = -1;

  constructor(text: string) {
    this.text = text;
  }

  /** The text that is not read yet. */
  get rest(): string {
    return this.text.slice(this.at);
  }

  /** Moves past the first opening tag; skips prose before it. */
  findFirstTag(): Tag | null {
    for (let at = this.text.indexOf("<"); at !== -1; at = this.text.indexOf("<", at + 1)) {
      this.at = at;
      const tag = this.openTag();
      if (tag !== null) return tag;
    }
    return null;
  }

  /** Returns the next opening tag or text inside an element; null at its end. Moves past it. */
  nextIn(name: string): Tag | string | null {
    for (;;) {
      const from = this.at;
      const mark = this.text.indexOf("<", from);
      if (mark === -1) throw new RangeError();
      if (mark > from) {
        this.at = mark;
        return decodeEntities(this.text.slice(from, mark));
      }
      const close = this.endOfClose(name, mark);
      if (close !== -1) {
        this.at = close;
        return null;
      }
      if (this.text.startsWith("<!--", mark)) {
        this.at = this.endOf("-->", mark);
        continue;
      }
      if (this.text.startsWith(CDATA, mark)) return this.cdata(mark);
      const tag = this.openTag();
      if (tag !== null) return tag;
      this.at = mark + 1;
      return "<";
    }
  }

  /** Reads a text and its closing tag. CDATA, and text that is no valid XML, are code and verbatim. */
  textUntilClose(name: string): string {
    const parts: string[] = [];
    let isVerbatim = false;
    for (;;) {
      const close = this.indexOfClose(name);
      const cdata = this.indexOfCdata();
      if (close === -1) throw new RangeError();
      if (close < cdata) {
        const rest = this.text.slice(this.at, close);
        this.at = this.endOfClose(name, close);
        if (!isVerbatim) return plainText(rest);
        return parts.join("") + (rest.trim() === "" ? "" : decodeEntities(rest));
      }
      const before = this.text.slice(this.at, cdata);
      if (before.trim() !== "") parts.push(decodeEntities(before));
      parts.push(this.cdata(cdata));
      isVerbatim = true;
    }
  }

  /** Returns the name of the element that begins here, after white space; null for none. */
  peekName(): string | null {
    const from = this.at;
    this.at = this.endOfBlanks();
    const tag = this.openTag();
    this.at = from;
    return tag?.name ?? null;
  }

  isClosedAtOnce(name: string): boolean {
    return this.endOfClose(name, this.endOfBlanks()) !== -1;
  }

  private endOfBlanks(): number {
    BLANKS.lastIndex = this.at;
    BLANKS.test(this.text);
    return BLANKS.lastIndex;
  }

  private openTag(): Tag | null {
    OPEN.lastIndex = this.at;
    const found = OPEN.exec(this.text);
    if (found === null) return null;
    const attributes = [...(found[2] ?? "").matchAll(ATTRIBUTE)].map(
      ([, key = "", double, single]): [string, string] => [key, decodeEntities(double ?? single ?? "")],
    );
    const byName = new Map(attributes);
    if (byName.size < attributes.length) throw new RangeError();
    this.at = OPEN.lastIndex;
    return { name: found[1] ?? "", attributes: byName, isEmpty: found[3] === "/" };
  }

  /** The index after the closing tag at an offset; -1 where there is none. */
  private endOfClose(name: string, at: number): number {
    if (!this.text.startsWith(`</${name}`, at)) return -1;
    CLOSE_END.lastIndex = at + name.length + 2;
    return CLOSE_END.test(this.text) ? CLOSE_END.lastIndex : -1;
  }

  private indexOfClose(name: string): number {
    let at = this.text.indexOf(`</${name}`, this.at);
    while (at !== -1 && this.endOfClose(name, at) === -1) at = this.text.indexOf(`</${name}`, at + 1);
    return at;
  }

  private indexOfCdata(): number {
    if (this.cdataAt < this.at) {
      const found = this.text.indexOf(CDATA, this.at);
      this.cdataAt = found === -1 ? Infinity : found;
    }
    return this.cdataAt;
  }

  private cdata(at: number): string {
    const from = at + CDATA.length;
    this.at = this.endOf(CDATA_END, from);
    return this.text.slice(from, this.at - CDATA_END.length);
  }

  private endOf(mark: string, from: number): number {
    const found = this.text.indexOf(mark, from);
    if (found === -1) throw new RangeError();
    return found + mark.length;
  }
}

/** White space around text is layout; indentation of code is not. */
function plainText(text: string): string {
  const own = text.includes("\n") ? text.replace(/^[^\S\n]*\n/, "").replace(/\n[^\S\n]*$/, "") : text.trim();
  const isCode = own.includes("<") || /&(?!(?:lt|gt|quot|apos|amp|#\d{1,7}|#x[0-9a-fA-F]{1,6});)/.test(own);
  return isCode ? own : decodeEntities(own);
}
