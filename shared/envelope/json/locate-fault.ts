import { pointerStep } from "#shared/json";
import { endOfString } from "./scan-json.ts";

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

/**
 * Returns the JSON pointer of the position `until` in the text, or, without `until`, of the first duplicate key. Slow
 * and lenient: it only runs to locate a known fault.
 */
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
