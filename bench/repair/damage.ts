import type { JsonValue } from "#shared/surgery";

/** A small seeded generator (mulberry32), so that every run measures the same cases. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One way in which a good answer goes bad. `refuse` marks damage that leaves no safe answer. */
export interface Damage {
  readonly name: string;
  readonly refuse?: true;
  /** The damaged text; undefined where this damage cannot be done to this value. */
  readonly apply: (value: Record<string, JsonValue>, random: () => number) => string | undefined;
}

const pretty = (value: JsonValue): string => JSON.stringify(value, null, 2);
const text = (value: JsonValue): string => JSON.stringify(value);

function word(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/** Replaces one match of a pattern, drawn at random. */
function replaceOne(
  source: string,
  pattern: RegExp,
  how: { random: () => number; by: (match: string) => string },
): string | undefined {
  const matches = [...source.matchAll(pattern)];
  const match = matches[Math.floor(how.random() * matches.length)];
  if (match === undefined) return undefined;
  return source.slice(0, match.index) + how.by(match[0]) + source.slice(match.index + match[0].length);
}

function python(source: string): string {
  return source
    .replaceAll(/: true\b/g, ": True")
    .replaceAll(/: false\b/g, ": False")
    .replaceAll(/: null\b/g, ": None")
    .replaceAll('"', "'");
}

function changed(value: Record<string, JsonValue>, change: Record<string, JsonValue>): string {
  return pretty({ ...value, ...change });
}

export const DAMAGES: readonly Damage[] = [
  { name: "fence", apply: (value) => `Here is the result:\n\n\`\`\`json\n${pretty(value)}\n\`\`\`\n` },
  { name: "prose around", apply: (value) => `Certainly! ${text(value)} Let me know {if} you need more.` },
  {
    name: "trailing commas",
    apply: (value) => pretty(value).replaceAll(/(["\d\]el])\n(\s*[}\]])/g, "$1,\n$2"),
  },
  { name: "python dict", apply: (value) => (text(value).includes("'") ? undefined : python(pretty(value))) },
  { name: "unquoted names", apply: (value) => pretty(value).replaceAll(/"(\w+)":/g, "$1:") },
  {
    name: "comments",
    apply: (value) => pretty(value).replace("\n", " // the answer\n").replace(/\n\}$/, "\n/* end */ }"),
  },
  {
    name: "missing comma",
    apply: (value, random) => replaceOne(pretty(value), /,\n/g, { random, by: () => "\n" }),
  },
  {
    name: "missing colon",
    apply: (value, random) => replaceOne(pretty(value), /": (?=")/g, { random, by: () => '" ' }),
  },
  {
    name: "missing end quote",
    apply: (value, random) =>
      replaceOne(pretty(value), /[a-z]",\n(?= *")/g, { random, by: (match) => match.replace('"', "") }),
  },
  { name: "missing closers", apply: (value) => pretty(value).replace(/\s*\}$/, "\n") },
  {
    name: "wrong closer",
    apply: (value, random) => replaceOne(text(value), /\](?=,"|\})/g, { random, by: () => "}" }),
  },
  { name: "typographic quotes", apply: (value) => text(value).replaceAll(/"((?:[^"\\]|\\.)*)"/g, "“$1”") },
  {
    name: "unescaped quotes",
    apply: (value) => changed(value, { note: "said MARK now" }).replace("MARK", '"yes, please"'),
  },
  {
    name: "raw line break",
    apply: (value) => changed(value, { note: "said MARK now" }).replace("MARK", "\n"),
  },
  { name: "double encoded", apply: (value) => JSON.stringify(text(value)) },
  {
    name: "names in camel case",
    apply: (value) =>
      text(value).replaceAll(/_([a-z])(?=\w*":)/g, (_, letter: string) => letter.toUpperCase()),
  },
  { name: "wrapped", apply: (value) => pretty({ result: value }) },
  { name: "in a list", apply: (value) => pretty([value]) },
  { name: "number as text", apply: (value) => changed(value, { quantity: text(value["quantity"] ?? null) }) },
  {
    name: "boolean as word",
    apply: (value) => changed(value, { is_urgent: value["is_urgent"] === true ? "yes" : "No" }),
  },
  {
    name: "enum in a sentence",
    apply: (value) => changed(value, { status: `The status is **${word(value["status"]).toUpperCase()}**.` }),
  },
  {
    name: "date written out",
    apply: (value) => changed(value, { due: `${word(value["due"]).slice(8)} March 2025` }),
  },
  { name: "extra member", apply: (value) => changed(value, { confidence: 0.9 }) },
  {
    name: "list item alone",
    apply: (value) =>
      Array.isArray(value["tags"]) && value["tags"].length === 1
        ? changed(value, { tags: value["tags"][0] ?? "" })
        : undefined,
  },
  {
    name: "cut in a string",
    refuse: true,
    apply: (value) => text(value).replace(/("customer":"[^"]{3}).*$/s, "$1"),
  },
  {
    name: "cut after a comma",
    refuse: true,
    apply: (value) => text(value).replace(/("customer":"[^"]*",).*$/s, "$1"),
  },
  { name: "missing member", refuse: true, apply: ({ customer: _customer, ...value }) => pretty(value) },
  { name: "bad list item", refuse: true, apply: (value) => changed(value, { tags: ["a", { odd: true }] }) },
  { name: "fraction for an integer", refuse: true, apply: (value) => changed(value, { quantity: 2.5 }) },
  { name: "two enum members", refuse: true, apply: (value) => changed(value, { status: "open or closed" }) },
  { name: "ambiguous number", refuse: true, apply: (value) => changed(value, { amount: "1,234" }) },
  { name: "ambiguous date", refuse: true, apply: (value) => changed(value, { due: "03/04/2025" }) },
  {
    name: "two answers",
    refuse: true,
    apply: (value) => `${text(value)}\n\nor\n\n${text({ ...value, customer: "Someone Else" })}`,
  },
];
