import { escapeHidden } from "./visible.js";

/** A number with its digits as they were written. */
class Digits {
  constructor(text) {
    this.text = text;
  }

  toString() {
    return this.text;
  }
}

/** JSON text to its value, numbers kept as written where the browser tells them. Undefined for no JSON. */
export function readJson(text) {
  /** @type {any} The third argument is newer than the types of the language. */
  const keepDigits = (_key, value, context) =>
    typeof value === "number" && context?.source !== undefined ? new Digits(context.source) : value;
  try {
    return JSON.parse(text, keepDigits);
  } catch {
    return undefined;
  }
}

/** JSON text for people to edit: indented, digits as written, what cannot be seen escaped; else the text itself. */
export function indent(text) {
  const value = readJson(text);
  if (value === undefined) return text;
  const lines = linesOf(value).map(({ depth, text: line }) => "  ".repeat(depth) + line);
  return escapeHidden(lines.join("\n"));
}

const BETWEEN = new Set(["{", "}", "[", "]", ",", ":", undefined]);

/** JSON text without the space around its marks. Nothing is parsed: what is wrong in it, twice a name say, stays. */
export function compact(text) {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|[ \t\r\n]+/g, (part, at) =>
    part[0] !== '"' && (BETWEEN.has(text[at - 1]) || BETWEEN.has(text[at + part.length])) ? "" : part,
  );
}

/** A value as lines, each with the JSON pointer of what it shows. */
export function linesOf(value, pointer = "", depth = 0, before = "", after = "") {
  const isList = Array.isArray(value);
  if (typeof value !== "object" || value === null || value instanceof Digits) {
    return [{ pointer, depth, text: before + scalar(value) + after }];
  }
  const entries = Object.entries(value);
  const [open, close] = isList ? "[]" : "{}";
  if (entries.length === 0) return [{ pointer, depth, text: before + open + close + after }];
  const inner = entries.flatMap(([key, item], index) =>
    linesOf(
      item,
      `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`,
      depth + 1,
      isList ? "" : `${JSON.stringify(key)}: `,
      index < entries.length - 1 ? "," : "",
    ),
  );
  return [
    { pointer, depth, text: before + open },
    ...inner,
    { pointer, depth, text: close + after, isEnd: true },
  ];
}

function scalar(value) {
  return value instanceof Digits ? String(value) : JSON.stringify(value);
}
