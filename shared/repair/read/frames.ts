import { marksOffLines } from "./line-marks.ts";
import { spend } from "./reader.ts";
import type { Work } from "./reader.ts";
import { withoutForms } from "./text-forms.ts";
import { withoutReasoning } from "./without-reasoning.ts";

/** A text with one thing less around it. */
export interface Unframed {
  readonly text: string;
  readonly step: string;
  readonly cost: number;
}

/** Takes one kind of frame off a text; undefined when there is none. */
interface Frame {
  readonly step: string;
  readonly cost: number;
  readonly strip: (text: string) => string | undefined;
}

/**
 * What mail programs, shells, servers, chat windows and models put around an answer, whatever its notation. A frame
 * has a mark of its own: a fence, an element, a header, a separator line; words alone are none, except as a paragraph.
 */
const FRAMES: readonly Frame[] = [
  { step: "reasoning_removed", cost: 1, strip: changed(withoutReasoning) },
  { step: "form_removed", cost: 1, strip: changed((text) => withoutForms(text).text) },
  { step: "fence_removed", cost: 1, strip: insideFence },
  { step: "element_removed", cost: 1, strip: insideElement },
  { step: "quoting_removed", cost: 1, strip: marksOffLines },
  { step: "string_opened", cost: 2, strip: insideString },
  { step: "lead_in_removed", cost: 3, strip: belowLeadIn },
  { step: "remarks_removed", cost: 3, strip: aboveRemarks },
];

/** Longer texts keep their frames: a model's answer is shorter, and the patterns below are not counted as work. */
const CHARS_MAX = 60_000;

/** Returns the text without each of its frames in turn. */
export function framesOf(text: string, work: Work): Unframed[] {
  if (text.length > CHARS_MAX) return [];
  spend(work, text.length * FRAMES.length);
  return FRAMES.flatMap(({ step, cost, strip }) => {
    const inner = strip(text)?.trim();
    return inner === undefined || inner === "" || inner === text.trim() ? [] : [{ text: inner, step, cost }];
  });
}

function changed(strip: (text: string) => string): Frame["strip"] {
  return (text) => {
    const inner = strip(text);
    return inner === text ? undefined : inner;
  };
}

/** The only fenced block; its end may be missing. */
function insideFence(text: string): string | undefined {
  const open = /(?:^|\n)[^\S\n]*(```+|~{3,}(?!~))[^\n`]*\n/.exec(text);
  if (open === null) return undefined;
  const start = open.index + open[0].length;
  const mark = open[1] ?? "```";
  const close = text.indexOf(mark, start);
  if (close === -1) return text.slice(start);
  return text.includes(mark, close + mark.length) ? undefined : text.slice(start, close);
}

const OPENING_TAG = /^[ \t]*<([a-z][\w.:-]{0,40})(?:\s[^<>\n]{0,200})?>/gim;
/** Maximum tags without an end before the element. */
const TAGS_MAX = 20;

/** The content of the only element that is written with both its tags, when it holds no further elements. */
function insideElement(text: string): string | undefined {
  let tries = 0;
  for (const open of text.matchAll(OPENING_TAG)) {
    const [tag, name = ""] = open;
    const start = open.index + tag.length;
    const end = text.indexOf(`</${name}>`, start);
    const inner = end === -1 ? "" : text.slice(start, end);
    if (end !== -1 && !inner.includes(`<${name}`))
      return text.includes(`<${name}`, end + 1) || /^\s*<[a-z]/i.test(inner) ? undefined : inner;
    tries += 1;
    if (tries > TAGS_MAX) return undefined;
  }
  return undefined;
}

/** The whole text is one JSON string. */
function insideString(text: string): string | undefined {
  const plain = text.trim();
  if (!plain.startsWith('"') || !plain.endsWith('"') || !plain.includes(String.raw`\n`)) return undefined;
  try {
    const value: unknown = JSON.parse(plain);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Below a first paragraph that is words, or a first line that ends like a sentence or with a colon besides. */
function belowLeadIn(text: string): string | undefined {
  const found = /^([^\n]{1,300}(?:[.:!]\s*|\s*\n\s*))\n([\s\S]+)$/.exec(text.trimStart());
  if (found === null || !isWords(found[1] ?? "") || DENIES.test(found[1] ?? "")) return undefined;
  return found[2];
}

/** Returns what is above a last paragraph that is words. */
export function aboveRemarks(text: string): string | undefined {
  const found = /^([\s\S]+?)\n[^\S\n]*\n([^\n]{1,400}[.!?:)])\s*$/.exec(text);
  if (found === null || !isWords(found[2] ?? "") || DENIES.test(found[2] ?? "")) return undefined;
  return found[1];
}

/** Returns a text, and what is left of it without its fence, its lead-in and its remarks; none for a long text. */
export function coresOf(text: string): readonly string[] {
  if (text.length > CHARS_MAX) return [];
  return [insideFence, belowLeadIn, aboveRemarks].reduce<readonly string[]>(
    (texts, strip) => [...texts, ...texts.flatMap((one) => strip(one) ?? [])],
    [text],
  );
}

const DENIES =
  /\b(?:not|no|never|unable|cannot|sorry|instead|wrong|incorrect|example|draft|omitted|truncated|left out)\b|n['’]t\b/i;

/** A sentence: several words, no brackets, no name with a value. */
function isWords(line: string): boolean {
  return /\S\s+\S/.test(line) && !/[{}[\]<>|=]|"\s*:|^[\s\-*+]*[^\s:]{1,40}:\s+\S/.test(line);
}
