import { escapeHidden } from "../../parts/visible.ts";

/** A number with its digits as they were written. */
class Digits {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A line of a value as people read it, with the JSON pointer of what it shows. `isEnd`: it only closes a bracket. */
export interface Line {
  readonly pointer: string;
  readonly depth: number;
  readonly text: string;
  readonly isEnd: boolean;
}

/** A line of the original beside the same line of the repair; null where one of them has none. */
export interface Pair {
  readonly left: Line | null;
  readonly right: Line | null;
}

/** Parses JSON text; numbers keep their digits where the browser tells them. Undefined for no JSON. */
export function readJson(text: string): unknown {
  const keepDigits = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === "number" && context?.source !== undefined ? new Digits(context.source) : value;
  try {
    return JSON.parse(text, keepDigits);
  } catch {
    return undefined;
  }
}

/** Returns JSON text for people to edit: indented, digits as written, what cannot be seen escaped; else the text. */
export function indent(text: string): string {
  const value = readJson(text);
  if (value === undefined) return text;
  return escapeHidden(
    linesOf(value)
      .map(({ depth, text: line }) => "  ".repeat(depth) + line)
      .join("\n"),
  );
}

const BETWEEN = new Set<string | undefined>(["{", "}", "[", "]", ",", ":", undefined]);

/** Returns JSON text without the space around its marks. Nothing is parsed: what is wrong in it stays. */
export function compact(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|[ \t\r\n]+/g, (part, at: number) =>
    part[0] !== '"' && (BETWEEN.has(text[at - 1]) || BETWEEN.has(text[at + part.length])) ? "" : part,
  );
}

/** Returns a value as lines. */
export function linesOf(value: unknown): Line[] {
  return write(value, { pointer: "", depth: 0, before: "", after: "" });
}

interface Place {
  readonly pointer: string;
  readonly depth: number;
  readonly before: string;
  readonly after: string;
}

function write(value: unknown, { pointer, depth, before, after }: Place): Line[] {
  const line = (text: string, isEnd = false): Line => ({ pointer, depth, text, isEnd });
  if (value instanceof Digits) return [line(before + value.text + after)];
  if (typeof value !== "object" || value === null) return [line(before + JSON.stringify(value) + after)];
  const isList = Array.isArray(value);
  const entries: [string, unknown][] = Object.entries(value);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  if (entries.length === 0) return [line(before + open + close + after)];
  const inner = entries.flatMap(([key, item], index) =>
    write(item, {
      pointer: `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`,
      depth: depth + 1,
      before: isList ? "" : `${JSON.stringify(key)}: `,
      after: index < entries.length - 1 ? "," : "",
    }),
  );
  return [line(before + open), ...inner, line(close + after, true)];
}

/** Adds a line at the place of each member that is missing, in what should hold it. */
export function withMissing(lines: readonly Line[], pointers: readonly string[]): Line[] {
  const found = [...lines];
  const places = new Set(lines.map(({ pointer }) => pointer));
  for (const pointer of new Set(pointers)) {
    if (places.has(pointer)) continue;
    const holder = nearest(places, pointer);
    const end = found.findIndex((line) => line.isEnd && line.pointer === holder);
    const one = found[end];
    if (one === undefined) continue;
    const text = `${JSON.stringify(pointer.slice(holder.length + 1))}: missing`;
    found.splice(end, 0, { pointer, depth: one.depth + 1, text, isEnd: false });
  }
  return found;
}

/** Returns the place itself if it is there, else the nearest one that would hold it. */
export function nearest(places: ReadonlySet<string>, pointer: string): string {
  let place = pointer;
  while (place !== "" && !places.has(place)) place = place.slice(0, place.lastIndexOf("/"));
  return place;
}

const keyOf = ({ pointer, isEnd }: Line): string => `${pointer} ${isEnd}`;

/** Puts lines of two values side by side, each place beside itself. */
export function pairLines(left: readonly Line[], right: readonly Line[]): Pair[] {
  const [ofLeft, ofRight] = [new Set(left.map(keyOf)), new Set(right.map(keyOf))];
  const pairs: Pair[] = [];
  let [at, beside] = [0, 0];
  while (at < left.length || beside < right.length) {
    const [one, other] = [left[at] ?? null, right[beside] ?? null];
    const isSame = one !== null && other !== null && keyOf(one) === keyOf(other);
    // Where the order of members differs, the original's line stands alone.
    const takesRight =
      isSame || one === null || (other !== null && !ofLeft.has(keyOf(other)) && ofRight.has(keyOf(one)));
    const takesLeft = isSame || !takesRight;
    pairs.push({ left: takesLeft ? one : null, right: takesRight ? other : null });
    if (takesLeft) at += 1;
    if (takesRight) beside += 1;
  }
  return pairs;
}
