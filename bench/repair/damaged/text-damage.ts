import type { JsonValue } from "#shared/schema";
import type { Draw } from "../seeded.ts";

/** One way of writing a value that JSON does not know. */
export interface Style {
  readonly name: string;
  readonly write: (value: JsonValue) => string | undefined;
}

/** One way in which a text goes bad. */
export interface TextDamage {
  readonly name: string;
  /** The damaged text; undefined where this cannot be done to it. */
  readonly apply: (text: string, draw: Draw) => string | undefined;
}

/** How a language other than JSON writes scalars, names and lists. */
interface Dialect {
  readonly text: (value: string) => string;
  readonly name: (key: string) => string;
  readonly literal: (value: boolean | null) => string;
  readonly lastComma: boolean;
}

function write(value: JsonValue, dialect: Dialect, indent = ""): string {
  const inner = `${indent}  `;
  const end = dialect.lastComma ? "," : "";
  if (typeof value === "string") return dialect.text(value);
  if (typeof value === "number") return String(value);
  if (typeof value !== "object" || value === null) return dialect.literal(value);
  const parts = Array.isArray(value)
    ? value.map((item) => inner + write(item, dialect, inner))
    : Object.entries(value).map(
        ([key, one]) => `${inner}${dialect.name(key)}: ${write(one, dialect, inner)}`,
      );
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  return parts.length === 0 ? open + close : `${open}\n${parts.join(",\n")}${end}\n${indent}${close}`;
}

const json: Dialect = {
  text: (value) => JSON.stringify(value),
  name: (key) => JSON.stringify(key),
  literal: String,
  lastComma: false,
};
const single = (value: string): string =>
  `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
const bareName = (key: string): string => (/^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key));

/** The escape of a line break; in `C:\\\\new` a backslash is escaped, and no break. */
const RAW_BREAK = /(?<=(?<!\\)(?:\\\\)*)\\n/g;

export const STYLES: readonly Style[] = [
  {
    name: "python",
    write: (value) =>
      write(value, {
        text: single,
        name: single,
        literal: (one) => ({ true: "True", false: "False", null: "None" })[String(one)] ?? "",
        lastComma: true,
      }),
  },
  {
    name: "javascript",
    write: (value) => write(value, { text: single, name: bareName, literal: String, lastComma: true }),
  },
  { name: "trailing commas", write: (value) => write(value, { ...json, lastComma: true }) },
  { name: "bare names", write: (value) => write(value, { ...json, name: bareName }) },
  {
    name: "smart quotes",
    write: (value) =>
      /[“”"]/.test(Object.values(value ?? {}).join(""))
        ? undefined
        : write(value, {
            ...json,
            text: (one) => `“${JSON.stringify(one).slice(1, -1)}”`,
            name: (key) => `“${key}”`,
          }),
  },
  {
    name: "raw line breaks",
    write: (value) =>
      write(value, { ...json, text: (one) => JSON.stringify(one).replaceAll(RAW_BREAK, "\n") }),
  },
  { name: "double encoded", write: (value) => JSON.stringify(JSON.stringify(value)) },
  {
    name: "escaped outside of strings",
    write: (value) =>
      JSON.stringify(value).includes("\\") ? undefined : JSON.stringify(JSON.stringify(value)).slice(1, -1),
  },
];

export const plain = (value: JsonValue): string => JSON.stringify(value);
export const pretty = (value: JsonValue): string => JSON.stringify(value, null, 2);

function replaceOne(
  source: string,
  pattern: RegExp,
  { draw, by }: { draw: Draw; by: (match: string) => string },
): string | undefined {
  const match = draw.find([...source.matchAll(pattern)]);
  if (match === undefined) return undefined;
  return source.slice(0, match.index) + by(match[0]) + source.slice(match.index + match[0].length);
}

/** Damage to pretty-printed JSON after which one answer is still right. */
export const TEXT_MENDABLE: readonly TextDamage[] = [
  { name: "missing comma", apply: (text, draw) => replaceOne(text, /,\n/g, { draw, by: () => "\n" }) },
  { name: "doubled comma", apply: (text, draw) => replaceOne(text, /,\n/g, { draw, by: () => ",,\n" }) },
  {
    name: "missing colon",
    apply: (text, draw) =>
      replaceOne(text, /^ *"\w+": (?=["\d[{])/gm, { draw, by: (match) => match.replace('":', '"') }),
  },
  {
    name: "missing end quote",
    apply: (text, draw) =>
      replaceOne(text, /[a-z]",\n(?= *"\w+":)/g, { draw, by: (match) => match.replace('"', "") }),
  },
  {
    name: "missing start quote",
    apply: (text, draw) => replaceOne(text, /": "(?=[a-z]\w*",?\n)/g, { draw, by: () => '": ' }),
  },
  {
    name: "comment at a line's end",
    apply: (text, draw) =>
      replaceOne(text, /[,{]\n/g, {
        draw,
        by: (match) =>
          match.replace("\n", draw.pick([" // as asked\n", " # as asked\n", " /* as asked */\n"])),
      }),
  },
  { name: "missing closers", apply: (text) => text.replace(/[\s\]}]+$/, "").replace(/(\d)$/, "$1\n") },
  { name: "one closer too many", apply: (text) => `${text}\n}` },
  {
    name: "unescaped quotes",
    apply: (text, draw) =>
      replaceOne(text, /\\"[^"\\\n]*\\"/g, { draw, by: (match) => match.replaceAll('\\"', '"') }),
  },
  { name: "raw line break", apply: (text, draw) => replaceOne(text, RAW_BREAK, { draw, by: () => "\n" }) },
  {
    name: "equals for a colon",
    apply: (text, draw) =>
      replaceOne(text, /^ *"\w+": /gm, { draw, by: (match) => match.replace(":", " =") }),
  },
];

/** Damage that takes something away for good. */
export const TEXT_HOPELESS: readonly TextDamage[] = [
  { name: "cut in a string", apply: (text, draw) => cutAt(text, /": "[^"\\\n]{4,}/g, draw) },
  { name: "cut after a comma", apply: (text, draw) => cutAt(text, /,\n\s*/g, draw) },
  { name: "cut in a name", apply: (text, draw) => cutAt(text, /^ *"\w{3}/gm, draw) },
  { name: "cut after a colon", apply: (text, draw) => cutAt(text, /": ?/g, draw) },
];

function cutAt(text: string, pattern: RegExp, draw: Draw): string | undefined {
  const match = draw.find([...text.matchAll(pattern)]);
  return match === undefined
    ? undefined
    : text.slice(0, match.index + match[0].length - (match[0].length > 8 ? 2 : 0));
}

/** What stands around an answer. */
export const AROUND_ANSWER: readonly TextDamage[] = [
  {
    name: "fence",
    apply: (text, draw) => `\`\`\`${draw.pick(["json", "", "JSON", "javascript"])}\n${text}\n\`\`\``,
  },
  {
    name: "prose and fence",
    apply: (text) =>
      `Sure! Here is the JSON you asked for:\n\n\`\`\`json\n${text}\n\`\`\`\n\nLet me know if {anything} is [unclear].`,
  },
  { name: "prose", apply: (text) => `Here is the result:\n${text}\nHope that helps!` },
  {
    name: "reasoning",
    apply: (text) =>
      `<think>\nThe message {mentions} a [thing]. I should answer in JSON like {"a": 1}.\n</think>\n\n${text}`,
  },
  {
    name: "answer element",
    apply: (text, draw) => {
      const name = draw.pick(["answer", "output", "json", "result"]);
      return `<${name}>\n${text}\n</${name}>`;
    },
  },
  { name: "assignment", apply: (text) => `const result = ${text};` },
  { name: "label", apply: (text) => `Output: ${text}` },
  { name: "stop token", apply: (text) => `${text}<|eot_id|>` },
];
