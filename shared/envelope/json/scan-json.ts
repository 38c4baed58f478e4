import { pointerStep } from "#shared/json";
import type { BoundCode } from "../errors.ts";

/** Facts about JSON text that its parsed value no longer shows. */
interface Scan {
  /** Keys in the text, including duplicates. */
  readonly keys: number;
  /** The first place where a bound is broken. */
  readonly fault: { readonly code: BoundCode; readonly at: number } | undefined;
}

const QUOTE = 34;
const BACKSLASH = 92;
const COLON = 58;
const COMMA = 44;
const MINUS = 45;

/** A double holds every integer of up to 15 digits exactly, but not all longer ones. */
const DIGITS_ALWAYS_EXACT = 15;

/** Returns the index of the quote that closes the string opened at `open`, or the text's length. Linear. */
export function endOfString(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (close !== -1) {
    let slashes = 0;
    while (text.charCodeAt(close - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return close;
    close = text.indexOf('"', close + 1);
  }
  return text.length;
}

/** Returns the index after the characters of a number. */
function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  for (; end < text.length; end += 1) {
    const char = text.charCodeAt(end);
    const isPart =
      (char >= 48 && char <= 57) || char === 46 || char === 43 || char === MINUS || (char | 32) === 101;
    if (!isPart) break;
  }
  return end;
}

/** Returns true for an integer that a double cannot hold exactly. */
function losesDigits(token: string): boolean {
  if (!/^-?\d+$/.test(token)) return false;
  const value = Number(token);
  if (!Number.isFinite(value)) return false;
  return String(value) !== token && BigInt(value) !== BigInt(token);
}

/**
 * Scans text for nesting, keys, values and long integers up to the first fault, before a recursive parser sees it.
 * @param limits.valuesMax - Maximum values, counted by the commas of objects and arrays. Default: none.
 */
export function scanJson(
  text: string,
  limits: { readonly depthMax: number; readonly keysMax: number; readonly valuesMax?: number },
): Scan {
  const valuesMax = limits.valuesMax ?? Number.POSITIVE_INFINITY;
  let keys = 0;
  let values = 0;
  let depth = 0;
  let i = 0;
  while (i < text.length) {
    const char = text.charCodeAt(i);
    if (char === QUOTE) {
      i = endOfString(text, i);
    } else if (char === COLON) {
      keys += 1;
      if (keys > limits.keysMax) return { keys, fault: { code: "too_many_keys", at: i } };
    } else if (char === COMMA) {
      values += 1;
      if (values > valuesMax) return { keys, fault: { code: "too_many_values", at: i } };
    } else if (char === 123 || char === 91) {
      depth += 1;
      if (depth > limits.depthMax) return { keys, fault: { code: "too_deep", at: i } };
    } else if (char === 125 || char === 93) {
      depth -= 1;
    } else if (char === MINUS || (char >= 48 && char <= 57)) {
      const end = endOfNumber(text, i);
      if (end - i > DIGITS_ALWAYS_EXACT && losesDigits(text.slice(i, end))) {
        return { keys, fault: { code: "number_precision", at: i } };
      }
      i = end - 1;
    }
    i += 1;
  }
  return { keys, fault: undefined };
}

interface Level {
  readonly seen: Set<string> | undefined;
  step: string | number;
}

/** A string in the text, by the positions of its quotes. */
interface Quoted {
  readonly text: string;
  readonly open: number;
  readonly close: number;
}

/** A string followed by this is a key. */
const BEFORE_VALUE = /\s*:/y;

/** Returns the key between two quotes, unescaped; as written if it is not a JSON string. */
function readKey(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1, -1);
  }
}

/** If the string from `open` to `close` is a key, enters it. @returns True if the object had that key before. */
function enterKey(level: Level, { text, open, close }: Quoted): boolean {
  BEFORE_VALUE.lastIndex = close + 1;
  if (level.seen === undefined || !BEFORE_VALUE.test(text)) return false;
  const key = readKey(text.slice(open, close + 1));
  const isRepeated = level.seen.has(key);
  level.step = key;
  level.seen.add(key);
  return isRepeated;
}

function toPointer(levels: readonly Level[]): string {
  return levels.map((level) => pointerStep(level.step)).join("");
}

/** Returns the JSON pointer of `until`, else of the first duplicate key. Slow: it only locates a known fault. */
export function locateFault(text: string, until: number = text.length): string {
  const levels: Level[] = [];
  for (let i = 0; i < until; i += 1) {
    const char = text[i];
    const level = levels.at(-1);
    if (char === "{") levels.push({ seen: new Set(), step: "" });
    else if (char === "[") levels.push({ seen: undefined, step: 0 });
    else if (char === "}" || char === "]") levels.pop();
    else if (char === "," && level !== undefined && typeof level.step === "number") level.step += 1;
    else if (char === '"') {
      const close = endOfString(text, i);
      if (level !== undefined && enterKey(level, { text, open: i, close }) && until === text.length)
        return toPointer(levels);
      i = close;
    }
  }
  return toPointer(levels);
}
