import { isObject, isSameJson, jsonValueOf } from "./json-value.ts";
import type { JsonValue } from "./json-value.ts";

/**
 * Writes a value into JSON text as an edit: what is the same at the same place keeps its bytes, inexact numbers too.
 * @param text - The text before; it need not be JSON.
 * @returns undefined if an inexact number moves and it cannot be told which of several it is.
 */
export function editJson(text: string, value: JsonValue): string | undefined {
  try {
    const before = jsonValueOf(text);
    return before === undefined ? writeFrom(text, value) : edit({ text, before, value });
  } catch (error) {
    if (error === NUMBER_LOST) return undefined;
    throw error;
  }
}

/** Returns the text of the value at a place of JSON text, the last of a name that occurs twice; undefined for none. */
export function textAt(text: string, steps: readonly string[]): string | undefined {
  const span = spanAt(text, steps);
  return span === undefined ? undefined : text.slice(...span);
}

/** Returns JSON text with another text for the value at a place that it has. */
export function replaceTextAt(text: string, steps: readonly string[], part: string): string {
  const [from, to] = spanAt(text, steps) ?? [0, text.length];
  return text.slice(0, from) + part + text.slice(to);
}

const STRING = String.raw`"[^"\\]*(?:\\[\s\S][^"\\]*)*"`;
const SCALAR = new RegExp(String.raw`${STRING}|-?\d[\d.]*(?:[eE][+-]?\d+)?`, "g");
const TOKEN = new RegExp(String.raw`${STRING}|[{}[\],:]|[^\s{}[\],:"]+`, "g");
/** Longer numbers take long to compare. */
const NUMBER_CHARS_MAX = 4096;
const NUMBER_LOST = new RangeError("A number that JavaScript cannot hold has moved.");

/** A member of an object, or an item of a list: where it begins, and its value. */
interface Part {
  readonly key: string;
  readonly from: number;
  readonly valueFrom: number;
  readonly to: number;
}

interface Edit {
  readonly text: string;
  readonly before: JsonValue;
  readonly value: JsonValue;
}

function edit({ text, before, value }: Edit): string {
  if (isSameJson(before, value)) return text;
  const isList = Array.isArray(before) && Array.isArray(value);
  if (!isList && !(isObject(before) && isObject(value))) return writeFrom(text, value);
  const parts = partsOf(text);
  const [members, others] = [new Map(Object.entries(before)), new Map(Object.entries(value))];
  // A name that occurs twice has no one place.
  if (parts.length !== members.size || !parts.every(({ key }) => members.has(key)))
    return writeFrom(text, value);
  const gone = parts.filter(({ key }) => !others.has(key));
  const take = takerOf(gone.map(({ valueFrom, to }) => text.slice(valueFrom, to)).join("\n"));
  const gapBefore = (at: number): string => text.slice(parts[at - 1]?.to ?? 0, parts[at]?.from);
  const pieces = parts.flatMap((part, at) => {
    const [own, other] = [members.get(part.key), others.get(part.key)];
    if (own === undefined || other === undefined) return [];
    const edited = edit({ text: text.slice(part.valueFrom, part.to), before: own, value: other });
    return [{ gap: gapBefore(at), text: text.slice(part.from, part.valueFrom) + edited }];
  });
  const gap = parts.length > 1 ? gapBefore(parts.length - 1) : ",";
  for (const [key, added] of others)
    if (!members.has(key)) {
      const name = isList ? "" : `${JSON.stringify(key)}:`;
      pieces.push({ gap, text: name + write(added, take) });
    }
  const inside = text.search(/[[{]/) + 1;
  const body = pieces.map((piece, at) => (at === 0 ? piece.text : piece.gap + piece.text)).join("");
  return text.slice(0, parts[0]?.from ?? inside) + body + text.slice(parts.at(-1)?.to ?? inside);
}

/** Returns the members of an object, or the items of a list, in JSON text. */
function partsOf(text: string): readonly Part[] {
  const parts: Part[] = [];
  const isList = text.trimStart().startsWith("[");
  let depth = 0;
  let [key, from, valueFrom, to] = ["", -1, -1, -1];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === "}" || token === "]") depth -= 1;
    if (depth === 0 || (depth === 1 && token === ",")) {
      if (from !== -1) parts.push({ key, from, valueFrom, to });
      [from, valueFrom] = [-1, -1];
    } else if (depth > 1 || token !== ":") {
      if (valueFrom === -1 && (isList || from !== -1)) valueFrom = index;
      if (from === -1) [key, from] = [isList ? String(parts.length) : nameIn(token), index];
      to = index + token.length;
    }
    if (token === "{" || token === "[") depth += 1;
  }
  return parts;
}

function spanAt(text: string, steps: readonly string[]): [from: number, to: number] | undefined {
  const [step, ...rest] = steps;
  if (step === undefined) return [0, text.length];
  const part = /^\s*[[{]/.test(text) ? partsOf(text).findLast(({ key }) => key === step) : undefined;
  if (part === undefined) return undefined;
  const [from, to] = spanAt(text.slice(part.valueFrom, part.to), rest) ?? [];
  return from === undefined || to === undefined ? undefined : [part.valueFrom + from, part.valueFrom + to];
}

/** Returns how a scalar was written in a text, each place once; undefined if it was not, or in several ways. */
type Take = (scalar: JsonValue) => string | undefined;

function takerOf(text: string): Take {
  const found = new Map<string, string[]>();
  for (const token of text.match(SCALAR) ?? []) {
    const value = jsonValueOf(token);
    if (value === undefined) continue;
    const key = keyOf(value);
    found.set(key, [...(found.get(key) ?? []), token]);
  }
  return (scalar) => {
    const key = keyOf(scalar);
    const [first, ...others] = found.get(key) ?? [];
    if (first === undefined) return undefined;
    if (others.every((other) => other === first)) {
      found.set(key, others);
      return first;
    }
    if ([first, ...others].some((token) => isLossy(token))) throw NUMBER_LOST;
    return undefined;
  };
}

/** A number and a text are never the same; JSON would print an infinite number as null. */
function keyOf(scalar: JsonValue): string {
  return typeof scalar === "number" ? String(scalar) : JSON.stringify(scalar);
}

function nameIn(token: string): string {
  const name = jsonValueOf(token);
  return typeof name === "string" ? name : token;
}

function writeFrom(text: string, value: JsonValue): string {
  return write(value, takerOf(text));
}

function write(value: JsonValue, take: Take): string {
  if (Array.isArray(value)) return `[${value.map((item) => write(item, take)).join(",")}]`;
  if (!isObject(value)) return take(value) ?? JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}:${write(member, take)}`,
  );
  return `{${members.join(",")}}`;
}

/** Returns true if JavaScript would print a number with another value, or another sign. */
function isLossy(token: string): boolean {
  const value = Number(token);
  if (token.startsWith('"') || Number.isNaN(value)) return false;
  return (
    token.length > NUMBER_CHARS_MAX || !Number.isFinite(value) || normal(String(value)) !== normal(token)
  );
}

/** Returns a decimal number as its sign, its digits and the power of ten of the last one. */
function normal(number: string): string {
  const [mantissa = "", exponent = "0"] = number.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${mantissa.startsWith("-") ? "-" : ""}${significant}e${significant === "" ? 0 : power}`;
}
