import type { Bounds } from "../bounds.ts";
import type { Note, RefusalCode } from "../first-aid-result.ts";
import { findSpans } from "./find-spans.ts";
import { readEscapedPart, readWhole } from "./read-span.ts";
import { readStrict } from "./read-strict.ts";
import { readXml } from "./read-xml.ts";
import type { SyntaxStep } from "./reader.ts";
import type { Span } from "./span.ts";
import { withoutForms } from "./text-forms.ts";
import type { Tree } from "./tree.ts";
import { withoutReasoning } from "./without-reasoning.ts";

/** One way to understand a text. */
export interface Reading {
  readonly tree: Tree;
  readonly cost: number;
  readonly notes: readonly Note[];
  /**
   * `whole`: the text is one damaged value; `part`: a value among other text; `list`: all values of the text
   * as one list; `text`: the text itself as a string, and `xml`: its elements as members; both only a schema
   * can ask for.
   */
  readonly kind: "whole" | "part" | "list" | "text" | "xml";
  /** What the words before a part call it. */
  readonly label: "final" | "example" | "none";
  /** Where in the text the value stands, for values among other text. */
  readonly start?: number;
  readonly end?: number;
}

export interface Readings {
  readonly readings: readonly Reading[];
  /** Why there are none, or why a reading was given up. */
  readonly code: RefusalCode;
}

/** Collects the readings of a text. Throws {ReadRefusal} only where a bound is reached. */
export function collectReadings(input: string, bounds: Bounds): Readings {
  const text = input.replace(/^\uFEFF/, "");
  if (isStrictJson(text)) return strictReadings(text, bounds);
  const thought = withoutReasoning(text);
  const { text: plain, steps } = withoutForms(thought);
  if (thought !== text) steps.unshift({ step: "reasoning_removed", cost: 1 });
  const { readings, code } = isStrictJson(plain) ? strictReadings(plain, bounds) : readDamaged(plain, bounds);
  if (steps.length === 0) return { readings, code };
  const { cost, notes } = priced(steps);
  return {
    readings: readings.map((one) => ({ ...one, cost: one.cost + cost, notes: [...notes, ...one.notes] })),
    code,
  };
}

function strictReadings(text: string, bounds: Bounds): Readings {
  const tree = readStrict(text, bounds);
  return { readings: [{ tree, cost: 0, notes: [], kind: "whole", label: "none" }], code: "no_json" };
}

function readDamaged(stripped: string, bounds: Bounds): Readings {
  const texts = asText(stripped);
  const whole = readWhole(stripped, bounds);
  if (whole.span !== undefined)
    return { readings: [...asReadings(whole.span, "whole", 0), ...texts], code: "no_json" };
  const xml = bounds.accepts.includes("xml") ? readXml(stripped, bounds.work) : undefined;
  if (xml !== undefined)
    return {
      readings: [{ tree: xml, ...priced([{ step: "xml", cost: 4 }]), kind: "xml", label: "none" }],
      code: "no_json",
    };
  const { spans, code } = findSpans(stripped, bounds);
  const escaped = readEscapedPart(stripped, bounds);
  // Inside of a value that can be read, escaped JSON is one of its texts.
  if (escaped !== undefined && !spans.some(({ start, end }) => start < escaped.start && escaped.start < end))
    return { readings: [asReading(escaped, "part", 2), ...texts], code: "no_json" };
  const parts = spans.flatMap((span) => asReadings(span, "part", span.fenced ? 1 : 3));
  const isQuote = whole.code === "cut" && /^\s*(["'“])[^"'”\n]+["'”]/.test(stripped);
  const reason = parts.length === 0 && whole.code !== "no_json" && !isQuote ? whole.code : code;
  return { readings: [...parts, ...asList(stripped, spans), ...texts], code: reason };
}

/** What a JSON text that starts with one of these ends with. */
const ENDS: Readonly<Record<string, string>> = { "{": "}", "[": "]", '"': '"' };

function isStrictJson(text: string): boolean {
  const plain = text.trim();
  const end = ENDS[plain[0] ?? ""];
  // Most damaged texts are told by their ends, before anything is parsed.
  if (end !== undefined && plain.at(-1) !== end) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function asReadings(span: Span, kind: "whole" | "part", baseCost: number): Reading[] {
  return [span, ...(span.others ?? [])].map((one) => asReading(one, kind, baseCost));
}

function asReading(span: Span, kind: "whole" | "part", baseCost: number): Reading {
  const steps: SyntaxStep[] = [...span.steps];
  if (kind === "part")
    steps.push({ step: span.fenced ? "fence_removed" : "text_around_removed", cost: baseCost });
  if (kind === "part" && !span.fenced && isFootnote(span.tree))
    steps.push({ step: "like_a_footnote", cost: 4 });
  return { tree: span.tree, ...priced(steps), kind, label: span.label, start: span.start, end: span.end };
}

/** `[1]` in prose is more often a reference than an answer. */
function isFootnote(tree: Tree): boolean {
  return (
    tree.kind === "array" && tree.items.length <= 2 && tree.items.every((item) => item.kind === "number")
  );
}

/** Each kind of slip costs once: a text with fifty single quotes is no more doubtful than one with two. */
function priced(steps: readonly SyntaxStep[]): { cost: number; notes: Note[] } {
  const dearest = new Map<string, { cost: number; times: number }>();
  for (const { step, cost } of steps) {
    const known = dearest.get(step);
    dearest.set(step, { cost: Math.max(cost, known?.cost ?? 0), times: (known?.times ?? 0) + 1 });
  }
  const notes = [...dearest].map(([step, { cost, times }]) => ({
    path: "",
    step,
    cost,
    detail: `${times} in the text`,
  }));
  return { cost: notes.reduce((sum, note) => sum + note.cost, 0), notes };
}

/** Commas, line breaks, and what marks the next item of a list in Markdown. */
const BETWEEN_ITEMS = /^[\s,;]*(?:\n\s*(?:[-*•]|\d{1,4}[.)]))?\s*$/;

/** Several values side by side may be meant as a list. */
function asList(text: string, spans: readonly Span[]): Reading[] {
  if (spans.length < 2 || spans.some((span) => span.label !== "none")) return [];
  const between = spans.slice(1).map((span, index) => text.slice(spans[index]?.end ?? 0, span.start));
  const outer = text.slice(0, spans[0]?.start ?? 0) + text.slice(spans.at(-1)?.end ?? text.length);
  const touching = between.every((gap) => BETWEEN_ITEMS.test(gap)) && /^\s*(?:[-*•]|1[.)])?\s*$/.test(outer);
  const steps = [...spans.flatMap((span) => span.steps), { step: "values_as_list", cost: touching ? 2 : 4 }];
  const tree: Tree = { kind: "array", items: spans.map((span) => span.tree) };
  return [{ tree, ...priced(steps), kind: touching ? "list" : "part", label: "none" }];
}

/** A text that is no JSON may be the value itself, where the schema asks for a word, a number or a text. */
function asText(text: string): Reading[] {
  const inner = /^\s*```[^\n`]*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text;
  const tree: Tree = { kind: "string", text: inner.trim(), bare: true };
  if (inner.trim() === "") return [];
  return [{ tree, ...priced([{ step: "text_as_value", cost: 2 }]), kind: "text", label: "none" }];
}
