/** Encoding of an argument; `digits`: a number passed as text, `text?`, `number?`: null is nil, `pairs`: for HSET. */
export type Kind = keyof PlainValues | RecordKind;

/** Values of single arguments, by kind. */
interface SimpleValues {
  readonly text: string;
  readonly "text?": string | null;
  readonly digits: number;
  readonly number: number;
  readonly "number?": number | null;
  readonly flag: boolean;
}

interface PlainValues extends SimpleValues {
  readonly texts: readonly string[];
  readonly pairs: Readonly<Record<string, string | number>>;
}

type Simple = keyof SimpleValues;

/** `list`: a Lua table of tables with these names. `optional`: one such table, or nil. */
export type RecordKind = { readonly list: ArgumentKinds } | { readonly optional: ArgumentKinds };

/** Arguments by their name in TypeScript and Lua. */
export interface ArgumentKinds {
  readonly [name: string]: Kind;
}

type ValueOf<K> = K extends keyof PlainValues
  ? PlainValues[K]
  : K extends { readonly list: infer Kinds }
    ? readonly ValuesOf<Kinds>[]
    : K extends { readonly optional: infer Kinds }
      ? ValuesOf<Kinds> | null
      : never;

/** Words of `kindsOf`. */
type Split<Words> = Words extends `${infer Word} ${infer Rest}` ? Word | Split<Rest> : Words;
type NameOf<Word> = Word extends `${infer Name}:${string}` ? Name : Word & string;
type KindOf<Word> = Word extends `${string}:${infer Named}`
  ? Named extends keyof PlainValues
    ? Named
    : never
  : "text";

// Each member is named by its word.
type KindsOf<Words> = { readonly [Word in Split<Words> as NameOf<Word>]: KindOf<Word> };

/** Declares arguments by words: `name` is a text, `name:kind` another kind. */
export function kindsOf<const Words extends readonly string[]>(...words: Words): KindsOf<Words[number]> {
  const named = words.flatMap((some) => some.split(" ")).map((word) => word.split(":"));
  // The same words that the type is made of.
  return Object.fromEntries(named.map(([name = "", kind = "text"]) => [name, kind])) as KindsOf<
    Words[number]
  >;
}

/** Values of a call for these declared arguments. */
export type ValuesOf<Kinds> = { readonly [Name in keyof Kinds]: ValueOf<Kinds[Name]> };

type Value = string | number | boolean | null | readonly string[] | readonly Values[] | Values;

/** Common supertype of keys and arguments. */
export interface Values {
  readonly [name: string]: Value;
}

type Sent = (string | number)[];

/** Lua's reserved words and the library functions that scripts use; no argument may have such a name. */
const RESERVED = new Set(
  (
    "and break do else elseif end false for function if in local nil not or repeat return then true until while " +
    "ARGV KEYS redis cjson string table math tonumber tostring ipairs pairs unpack type pcall"
  ).split(" "),
);

function isSimple(entry: readonly [string, Kind]): entry is [string, Simple] {
  return typeof entry[1] === "string" && entry[1] !== "texts" && entry[1] !== "pairs";
}

/** Sorts single values first: their positions are known before any list is read. */
function inOrder(kinds: ArgumentKinds): { simple: [string, Simple][]; others: [string, Kind][] } {
  const entries = Object.entries(kinds);
  return { simple: entries.filter(isSimple), others: entries.filter((entry) => !isSimple(entry)) };
}

/** Returns a function that encodes named arguments as Redis is sent them; `prologueOf` makes the Lua that decodes. */
export function encoderOf(kinds: ArgumentKinds): (values: Values, sent: Sent) => void {
  const { simple, others } = inOrder(kinds);
  const names = simple.map(([name]) => name);
  const encoders = others.map(([name, kind]) => [name, encoderOfOther(kind)] as const);
  return (values, sent) => {
    for (const name of names) sent.push(encodeSimple(values[name]));
    for (const [name, encode] of encoders) encode(values[name], sent);
  };
}

export function encodeSimple(value: Value | undefined): string | number {
  if (typeof value === "string" || typeof value === "number") return value;
  return value === true ? "1" : value === false ? "0" : "";
}

function encoderOfOther(kind: Kind): (value: Value | undefined, sent: Sent) => void {
  if (typeof kind === "string") return kind === "pairs" ? encodePairs : encodeTexts;
  if ("optional" in kind) {
    const encode = encoderOf(kind.optional);
    return (value, sent) => {
      sent.push(isValues(value) ? "1" : "0");
      if (isValues(value)) encode(value, sent);
    };
  }
  const encode = encoderOf(kind.list);
  return (value, sent) => {
    const records = Array.isArray(value) ? value : [];
    sent.push(records.length);
    for (const record of records) if (isValues(record)) encode(record, sent);
  };
}

function encodeTexts(value: Value | undefined, sent: Sent): void {
  const texts = Array.isArray(value) ? value : [];
  sent.push(texts.length);
  for (const text of texts) sent.push(String(text));
}

function encodePairs(value: Value | undefined, sent: Sent): void {
  const entries = isValues(value) ? Object.entries(value) : [];
  sent.push(entries.length * 2);
  for (const [field, one] of entries) sent.push(field, encodeSimple(one));
}

function isValues(value: Value | undefined): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Generates a script's Lua prologue: constants, keys and arguments. @throws {TypeError} A bad or repeated name. */
export function prologueOf(declared: {
  readonly keys: readonly string[];
  readonly args: ArgumentKinds;
  readonly constants: Readonly<Record<string, string | number>>;
}): string {
  const { keys, args, constants } = declared;
  requireNames([...keys, ...Object.keys(args), ...Object.keys(constants)]);
  const { simple, others } = inOrder(args);
  return [
    // Locals are faster than globals.
    "local KEYS, ARGV = KEYS, ARGV",
    ...Object.entries(constants).map(([name, value]) => `local ${name} = ${JSON.stringify(value)}`),
    ...keys.map((name, i) => `local ${name} = KEYS[${i + 1}]`),
    ...simple.map(([name, kind], i) => `local ${name} = ${read(kind, `ARGV[${i + 1}]`)}`),
    ...(others.length === 0 ? [] : [`local ${others.map(([name]) => name).join(", ")}`, "do"]),
    ...(others.length === 0 ? [] : [`local at = ${simple.length + 1}`]),
    ...others.map(([name, kind]) => readOther(kind, name, 1)),
    ...(others.length === 0 ? [] : ["end"]),
    "",
  ].join("\n");
}

function requireNames(names: readonly string[]): void {
  const wrong = names.find((name, i) => RESERVED.has(name) || names.indexOf(name) !== i);
  if (wrong !== undefined) throw new TypeError(`A script cannot have an argument of the name ${wrong}.`);
}

function read(kind: Simple, from: string): string {
  switch (kind) {
    case "text":
    case "digits":
      return from;
    case "text?":
      return `${from} ~= "" and ${from} or nil`;
    case "number":
    case "number?":
      return `tonumber(${from})`;
    case "flag":
      return `${from} == "1"`;
    default:
      return kind satisfies never;
  }
}

/** Generates code that reads the value at `at` into `target` and advances `at`. */
function readOther(kind: Kind, target: string, depth: number): string {
  const many = `many${depth}`;
  const i = `i${depth}`;
  if (typeof kind === "string") {
    return [
      `local ${many} = tonumber(ARGV[at])`,
      // Lua's `unpack` is limited to a few thousand values.
      `if ${many} <= 1000 then`,
      `${target} = { unpack(ARGV, at + 1, at + ${many}) }`,
      "else",
      `${target} = {}`,
      `for ${i} = 1, ${many} do ${target}[${i}] = ARGV[at + ${i}] end`,
      "end",
      `at = at + ${many} + 1`,
    ].join("\n");
  }
  if ("optional" in kind) {
    return [
      "at = at + 1",
      `if ARGV[at - 1] == "1" then`,
      readRecord(kind.optional, target, depth + 1),
      "end",
    ].join("\n");
  }
  return [
    `${target} = {}`,
    "at = at + 1",
    `for ${i} = 1, tonumber(ARGV[at - 1]) do`,
    readRecord(kind.list, `${target}[${i}]`, depth + 1),
    "end",
  ].join("\n");
}

/** Generates one table constructor per record, so that Lua allocates it at full size. */
function readRecord(kinds: ArgumentKinds, target: string, depth: number): string {
  const { simple, others } = inOrder(kinds);
  const base = `base${depth}`;
  const fields = [
    ...simple.map(([name, kind], i) => `${name} = ${read(kind, `ARGV[${base} + ${i}]`)}`),
    ...others.map(([name]) => `${name} = ${name}${depth}`),
  ];
  return [
    `local ${base} = at`,
    `at = at + ${simple.length}`,
    ...others.flatMap(([name, kind]) => [`local ${name}${depth}`, readOther(kind, `${name}${depth}`, depth)]),
    `${target} = { ${fields.join(", ")} }`,
  ].join("\n");
}
