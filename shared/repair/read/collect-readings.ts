import { jsonValueOf } from "#shared/schema";
import type { Bounds } from "../bounds.ts";
import type { Note, RefusalCode } from "../first-aid-result.ts";
import { findSpans } from "./find-spans.ts";
import { readWhole } from "./read-span.ts";
import type { Span } from "./read-span.ts";
import { priced, spend } from "./reader.ts";
import { joinStream, openShell, readCalls } from "./shells/open-shell.ts";
import { withoutForms, withoutReasoning } from "./text-forms.ts";
import { readStrict } from "./tree-value.ts";
import type { Tree } from "./tree.ts";
import { readXml } from "./xml.ts";

/** One interpretation of a text. */
export interface Reading {
  readonly tree: Tree;
  readonly cost: number;
  readonly notes: readonly Note[];
  /**
   * `whole`: the text is one damaged value; `part`: a value within other text; `list`: all values as one list;
   * `text`: the text as a string; `xml`: its elements as members. The last two need a schema that asks for them.
   * `cargo`: what a provider's answer carries; counts only if the answer itself does not fit.
   */
  readonly kind: "whole" | "part" | "list" | "text" | "xml" | "cargo";
  /** Offset of a value within other text. */
  readonly start?: number;
  readonly end?: number;
}

export interface Readings {
  readonly readings: readonly Reading[];
  /** Reason for which there is no reading, or one was abandoned. */
  readonly code: RefusalCode;
}

/** Maximum answers of providers inside one another. */
const SHELLS_MAX = 3;

/** Cost of taking a provider's answer for its content. */
const SHELL_COST = 2;

/** Collects the readings of a text and of what an answer in it carries. @throws {ReadRefusal} A limit is reached. */
export function collectReadings(input: string, bounds: Bounds, depth = 0): Readings {
  const { readings, code } = collectOuter(input, bounds);
  if (depth >= SHELLS_MAX) return { readings, code };
  const carried = readings.flatMap((one) => cargoOf(one, bounds, depth));
  return { readings: [...readings, ...carried], code };
}

function cargoOf(outer: Reading, bounds: Bounds, depth: number): Reading[] {
  const note = { path: "", step: "shell_opened", cost: SHELL_COST };
  return openShell(outer.tree).flatMap((inner) => {
    const readings: readonly Reading[] =
      inner.kind === "string"
        ? collectReadings(inner.text, bounds, depth + 1).readings
        : [{ tree: inner, cost: 0, notes: [], kind: "whole" }];
    return readings.map((one) => ({
      ...one,
      kind: "cargo" as const,
      cost: one.cost + outer.cost + SHELL_COST,
      notes: [...outer.notes, note, ...one.notes],
      ...(outer.start !== undefined && outer.end !== undefined && { start: outer.start, end: outer.end }),
    }));
  });
}

function collectOuter(input: string, bounds: Bounds): Readings {
  const text = input.replace(/^\uFEFF/, "");
  if (jsonValueOf(text) !== undefined) return strictReadings(text, bounds);
  spend(bounds.work, text.length);
  const thought = withoutReasoning(text);
  const calls = callReadings(thought, bounds);
  if (calls.length > 0) return { readings: calls, code: "no_json" };
  const streamed = joinStream(thought);
  const { text: plain, steps } = withoutForms(streamed ?? thought);
  if (streamed !== undefined) steps.unshift({ step: "stream_joined", cost: 2 });
  if (thought !== text) steps.unshift({ step: "reasoning_removed", cost: 1 });
  const isMended = plain !== text && jsonValueOf(plain) !== undefined;
  const { readings, code } = isMended ? strictReadings(plain, bounds) : readDamaged(plain, bounds);
  if (steps.length === 0) return { readings, code };
  const { cost, notes } = priced(steps);
  return {
    readings: readings.map((one) => ({ ...one, cost: one.cost + cost, notes: [...notes, ...one.notes] })),
    code,
  };
}

/** The arguments of one call, or of all as a list; and the same with the functions' names for a contract that asks. */
function callReadings(text: string, bounds: Bounds): Reading[] {
  const calls = readCalls(text, (flow) => readWhole(flow, bounds).span?.tree);
  if (calls.length === 0) return [];
  const readingOf = (trees: readonly Tree[], kind: Reading["kind"]): Reading => {
    const [only, ...others] = trees;
    const tree: Tree = only !== undefined && others.length === 0 ? only : { kind: "array", items: trees };
    return { tree, ...priced([{ step: "call_opened", cost: 3 }]), kind };
  };
  const named = calls.map(({ name, given }): Tree => ({
    kind: "object",
    entries: [
      { key: "name", value: { kind: "string", text: name, bare: false } },
      { key: "arguments", value: given },
    ],
  }));
  const given = calls.map((call) => call.given);
  return [readingOf(given, "whole"), readingOf(named, "cargo")];
}

function strictReadings(text: string, bounds: Bounds): Readings {
  const tree = readStrict(text, bounds.work);
  return { readings: [{ tree, cost: 0, notes: [], kind: "whole" }], code: "no_json" };
}

function readDamaged(stripped: string, bounds: Bounds): Readings {
  const texts = asText(stripped);
  const whole = readWhole(stripped, bounds);
  if (whole.span !== undefined && !isDoubtfullyCut(whole.span))
    return { readings: [...asReadings(whole.span, "whole", 0), ...texts], code: "no_json" };
  const xml = bounds.acceptsXml ? readXml(stripped, bounds.work) : undefined;
  if (xml !== undefined)
    return {
      readings: [{ tree: xml, ...priced([{ step: "xml", cost: 4 }]), kind: "xml" }],
      code: "no_json",
    };
  if (MARKED_MEMBER.test(stripped) || (/^\s*[[{]/.test(stripped) && MARKED_VALUE.test(stripped)))
    return { readings: [], code: "ambiguous" };
  const { spans, code } = findSpans(stripped, bounds);
  const parts = spans
    .filter((span) => !isAside(stripped, span))
    .flatMap((span) => asReadings(span, "part", span.fenced ? 1 : 3));
  const isQuote = whole.code === "cut" && /^\s*(["'“])[^"'”\n]+["'”]/.test(stripped);
  const reason =
    parts.length === 0 && whole.span === undefined && whole.code !== "no_json" && !isQuote
      ? whole.code
      : code;
  const cut = whole.span === undefined ? [] : asReadings(whole.span, "whole", 0);
  return { readings: [...cut, ...parts, ...asList(stripped, spans), ...texts], code: reason };
}

/** A value between triple marks, Python's or a fence: what stands in it is no answer. */
const MARKED_MEMBER = /["']\s{0,9}:\s{0,9}(?:```|"""|''')/;
const MARKED_VALUE = /[:[{,]\s{0,9}(?:```|"""|''')/;

/** The text ends in a string that took in quotes: the value may have ended before, and prose follows. */
function isDoubtfullyCut({ steps }: Span): boolean {
  return (
    steps.some(({ step }) => step === "unescaped_quote") && steps.some(({ step }) => step.startsWith("cut_"))
  );
}

function asReadings(span: Span, kind: "whole" | "part", baseCost: number): Reading[] {
  return [span, ...(span.others ?? [])].map(({ tree, steps, start, end, fenced }) => {
    const around = { step: fenced ? "fence_removed" : "text_around_removed", cost: baseCost };
    return { tree, ...priced(kind === "part" ? [...steps, around] : steps), kind, start, end };
  });
}

/** `[0]` and `[worker-1]` between words are an index and a name. */
function isReference(tree: Tree): boolean {
  return (
    tree.kind === "array" &&
    tree.items.every(
      (item) => item.kind !== "object" && item.kind !== "array" && !(item.kind === "string" && !item.bare),
    )
  );
}

/** Returns true for a reference that stands within a line of words, and not behind a label. */
function isAside(text: string, { tree, start, end, fenced }: Span): boolean {
  if (fenced || !isReference(tree) || (tree.kind === "array" && tree.items.length > 1)) return false;
  const before = text.slice(Math.max(0, start - 40), start);
  const after = text.slice(end, end + 40);
  return !/(?:^|[\n:=>]|\b(?:is|are))[\s*_`"]*$/.test(before) || !/^[\s*_`".]*(?:\n|$)/.test(after);
}

/** Returns true for commas and blanks, with a Markdown list marker at the start of a line behind them. */
function isBetweenItems(gap: string): boolean {
  const plain = gap.trimEnd();
  const marker = /(?:[-*•]|\d{1,4}[.)])$/.exec(plain)?.[0] ?? "";
  const before = plain.slice(0, plain.length - marker.length);
  const startsLine = marker === "" || before.slice(before.trimEnd().length).includes("\n");
  return startsLine && !/[^\s,;]/.test(before);
}

/** Reads several adjacent values as a list. */
function asList(text: string, spans: readonly Span[]): Reading[] {
  if (spans.length < 2) return [];
  const between = spans.slice(1).map((span, index) => text.slice(spans[index]?.end ?? 0, span.start));
  const outer = text.slice(0, spans[0]?.start ?? 0) + text.slice(spans.at(-1)?.end ?? text.length);
  const touching = between.every(isBetweenItems) && /^(?:[-*•]|1[.)])?$/.test(outer.trim());
  if (!touching && (spans.some(({ tree }) => isReference(tree)) || between.some((gap) => CHOOSES.test(gap))))
    return [];
  const steps = [...spans.flatMap((span) => span.steps), { step: "values_as_list", cost: touching ? 2 : 4 }];
  const tree: Tree = { kind: "array", items: spans.map((span) => span.tree) };
  return [{ tree, ...priced(steps), kind: touching ? "list" : "part" }];
}

/** Words between values that are no items, but between which to choose. */
const CHOOSES = /\b(?:or|instead|rather|alternatively|versus|vs|not|no|wait|sorry|oder|ou)\b/i;

function withoutFence(text: string): string {
  return /^\s*```[^\n`]*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text;
}

/** Reads a text without JSON as the value itself, for schemas that ask for a word, number or text. */
function asText(text: string): Reading[] {
  const inner = withoutFence(text);
  const tree: Tree = { kind: "string", text: inner.trim(), bare: true };
  if (inner.trim() === "") return [];
  return [{ tree, ...priced([{ step: "text_as_value", cost: 2 }]), kind: "text" }];
}
