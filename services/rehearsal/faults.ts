import { createHash } from "node:crypto";
import { isRecord } from "#shared/json";
import type { JsonSchema } from "#shared/json";
import { replaceTextAt } from "#shared/schema/edit";

/** Faults of the endpoint, without an answer. */
export const OUTAGES = ["refusal", "rate_limit", "server_error", "hang"] as const;

export type Outage = (typeof OUTAGES)[number];

/** The fault of one request. */
export type Fault =
  | { readonly kind: "none" }
  | { readonly kind: "outage"; readonly outage: Outage }
  | { readonly kind: "damage"; readonly name: string; readonly random: () => number };

/** Share of outages among all faults, and of each among them; hangs are rare because they take time. */
const OUTAGE_SHARE = 0.2;
const OUTAGE_WEIGHTS: readonly Outage[] = [
  ...Array.from({ length: 8 }, () => "rate_limit" as const),
  ...Array.from({ length: 8 }, () => "server_error" as const),
  ...Array.from({ length: 3 }, () => "refusal" as const),
  "hang",
];

/** Share of re-asks that repeat the damage. Without repetition no message would reach the ward. */
const REPEAT_SHARE = 0.5;

export interface FaultOptions {
  /** Share of requests with a fault, 0 to 1. */
  readonly faultRate: number;
  readonly seed: number;
}

interface Asked {
  readonly agent: string;
  readonly step: string;
  readonly inputText: string;
  /** Number of first questions with this input, this one included; from 1. */
  readonly attempt: number;
  /** Number of re-asks since the last first question; 0 for a first question. */
  readonly reask: number;
}

/** Plans a request's fault from seed and request alone. A re-ask repeats its first question's damage, or has none. */
export function planFault(asked: Asked, { faultRate, seed }: FaultOptions): Fault {
  const words = [seed, asked.agent, asked.step, asked.inputText, asked.attempt];
  if (seededNumber("is-fault", ...words) >= faultRate) return { kind: "none" };
  const random = seededRandom("fault", ...words);
  if (random() < OUTAGE_SHARE) {
    const outage = pick(OUTAGE_WEIGHTS, random) ?? "server_error";
    return asked.reask > 0 ? { kind: "none" } : { kind: "outage", outage };
  }
  const name = pick(Object.keys(DAMAGES), random) ?? "fence";
  if (asked.reask > 0 && seededNumber("repeat", asked.reask, ...words) >= REPEAT_SHARE)
    return { kind: "none" };
  return { kind: "damage", name, random };
}

/** Damages an answer as planned, or with the next damage that applies. */
export function spoil(
  intact: Omit<Parameters<Damage>[0], "random">,
  fault: Fault & { kind: "damage" },
): string {
  const names = Object.keys(DAMAGES);
  const from = Math.max(0, names.indexOf(fault.name));
  for (const name of [...names.slice(from), ...names.slice(0, from)]) {
    const text = DAMAGES[name]?.({ ...intact, random: fault.random });
    if (typeof text === "string") return text;
  }
  return JSON.stringify(intact.answer);
}

interface Intact {
  /** The stand-in's answer, any JSON value. */
  readonly answer: unknown;
  /** The schema requested for the answer; null for none. */
  readonly schema: JsonSchema | null;
  /** Seeded random numbers. */
  readonly random: () => number;
}

/** Damages an answer. Pure; null when this damage does not apply. */
type Damage = (intact: Intact) => string | null;

/** Faults that damage the answer: six of its text, then six of its meaning, in the order in which they are drawn. */
export const DAMAGES: Readonly<Record<string, Damage>> = {
  fence: ({ answer, random }) =>
    `\`\`\`${pick(["json", "", "JSON"], random) ?? ""}\n${pretty(answer)}\n\`\`\``,
  prose: ({ answer, random }) => {
    const heads = ["Sure! Here is the JSON you asked for:", "Based on the message, my answer is:"];
    const before = pick(heads, random);
    const after = pick(["Let me know if you need anything else.", "I hope this helps!"], random);
    return `${before}\n\n${pretty(answer)}\n\n${after}`;
  },
  /** Cut off after its first third, as at a token limit. */
  truncation: ({ answer, random }) => {
    const text = JSON.stringify(answer);
    return text.length < 6 ? null : text.slice(0, Math.floor(text.length * (0.35 + random() * 0.6)));
  },
  /** A number with a unit, or a boolean as a word. */
  wrong_type: ({ answer, random }) => {
    const leaf = pick(
      leavesOf(answer).filter(({ value }) => typeof value === "number" || typeof value === "boolean"),
      random,
    );
    return leaf === undefined ? null : writeAt(answer, leaf.path, asWords(leaf.value, random));
  },
  /** Without a member, preferably not the first, which is often a discriminator. */
  missing_field: ({ answer, random }) => {
    const found = coreOf(answer);
    const keys = Object.keys(found?.core ?? {});
    const dropped = pick(keys.length > 1 ? keys.slice(1) : keys, random);
    if (found === null || dropped === undefined) return null;
    const kept = Object.entries(found.core).filter(([key]) => key !== dropped);
    return writeAt(answer, found.path, Object.fromEntries(kept));
  },
  /** A member's name in camel case, capitals or with spaces. */
  near_miss_key: ({ answer, random }) => {
    const found = coreOf(answer);
    const key = pick(Object.keys(found?.core ?? {}), random);
    if (found === null || key === undefined) return null;
    const camel = key.replaceAll(/[_-]+([a-z])/g, (_, character: string) => character.toUpperCase());
    const spelled = pick([camel, key.toUpperCase(), toTitle(key), key.replaceAll("_", "-")], random) ?? key;
    const near = spelled === key ? toTitle(key) : spelled;
    if (near === key || Object.hasOwn(found.core, near)) return null;
    const renamed = Object.entries(found.core).map(([each, value]) => [each === key ? near : each, value]);
    return writeAt(answer, found.path, Object.fromEntries(renamed));
  },
  /** An enum value decorated, which first aid repairs, or replaced by a sentence, which it does not. */
  bad_enum: ({ answer, schema, random }) => {
    const members = JSON.stringify(schema);
    const leaf = pick(
      leavesOf(answer).filter(({ value }) => typeof value === "string" && members.includes(`"${value}"`)),
      random,
    );
    if (leaf === undefined) return null;
    const value = String(leaf.value);
    const words = value.replaceAll(/[_-]+/g, " ");
    const forms = [words.toUpperCase(), `**${toTitle(value)}**`, `${words}-like`, `mostly about ${words}s`];
    return writeAt(answer, leaf.path, pick(forms, random));
  },
  /** `True`, `False` and `None`, when the answer has such a literal. */
  python_literals: ({ answer }) => {
    const words: Readonly<Record<string, string>> = { true: "True", false: "False", null: "None" };
    return outsideStrings(answer, (code) =>
      code.replaceAll(/\b(true|false|null)\b/g, (literal) => words[literal] ?? literal),
    );
  },
  /** Commas before closing brackets, and a comment. */
  trailing_comma: ({ answer }) => {
    const turned = outsideStrings(answer, (code) => code.replaceAll(/\n(\s*)([}\]])/g, ",\n$1$2"));
    return turned?.replace("\n", " // as requested\n") ?? null;
  },
  /** Strings in single quotes, as Python prints a dictionary. */
  single_quotes: ({ answer }) => {
    const turned = pretty(answer).replaceAll(/"((?:[^"\\]|\\.)*)"/g, (_, inner: string) => {
      return `'${inner.replaceAll(String.raw`\"`, '"').replaceAll("'", String.raw`\'`)}'`;
    });
    return turned === pretty(answer) ? null : turned;
  },
  double_encoded: ({ answer }) => JSON.stringify(JSON.stringify(answer)),
  /** With members that nobody asked for. */
  extra_keys: ({ answer }) => {
    const found = coreOf(answer);
    if (found === null || Object.hasOwn(found.core, "explanation")) return null;
    const explanation = "I read the message carefully and chose the most fitting values.";
    const chatty = { explanation, ...found.core, additional_notes: "No further remarks." };
    return writeAt(answer, found.path, chatty);
  },
};

/** Returns an answer as JSON with another value at a place. */
function writeAt(answer: unknown, path: Path, value: unknown): string {
  return replaceTextAt(JSON.stringify(answer), path.map(String), JSON.stringify(value));
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** Returns an answer's JSON with a change outside of strings; null where it changes nothing. */
function outsideStrings(answer: unknown, change: (code: string) => string): string | null {
  const turned = pretty(answer)
    .split(/("(?:[^"\\]|\\.)*")/)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join("");
  return turned === pretty(answer) ? null : turned;
}

type Path = readonly (string | number)[];

interface Leaf {
  readonly path: Path;
  readonly value: unknown;
}

/** Lists the scalars of an answer with their paths, within a limit. */
function leavesOf(value: unknown, path: Path = []): Leaf[] {
  if (path.length > 8) return [];
  if (Array.isArray(value))
    return value.slice(0, 100).flatMap((item, index) => leavesOf(item, [...path, index]));
  if (isRecord(value)) return Object.entries(value).flatMap(([key, item]) => leavesOf(item, [...path, key]));
  return [{ path, value }];
}

function asWords(value: unknown, random: () => number): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  const number = Number(value);
  return pick([`€ ${number.toFixed(2)}`, `${number} EUR`, `about ${number}`, String(number)], random) ?? "";
}

interface Core {
  readonly path: Path;
  readonly core: { readonly [key: string]: unknown };
}

/** The object with the answer's members: the answer itself, or the only member of a wrapper. */
function coreOf(answer: unknown): Core | null {
  const path: string[] = [];
  let core = answer;
  while (isRecord(core) && path.length < 8) {
    const [key, ...others] = Object.keys(core);
    const inner = key === undefined ? undefined : core[key];
    if (key === undefined || others.length > 0 || !isRecord(inner)) return { path, core };
    path.push(key);
    core = inner;
  }
  return null;
}

function toTitle(key: string): string {
  return key
    .split(/[_-]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(" ");
}

/** Hashes words to a number in [0, 1), the same on any machine. */
function seededNumber(...words: readonly (string | number)[]): number {
  return hashOf(words).readUIntBE(0, 6) / 2 ** 48;
}

/** Seeded random number generator. */
export function seededRandom(...words: readonly (string | number)[]): () => number {
  const key = hashOf(words).toString("hex");
  let drawn = 0;
  return () => {
    drawn += 1;
    return seededNumber(key, drawn);
  };
}

/** Picks an item; undefined from an empty list. */
export function pick<Item>(items: readonly Item[], random: () => number): Item | undefined {
  return items[Math.floor(random() * items.length)];
}

function hashOf(words: readonly (string | number)[]): Buffer {
  // As JSON, so that ("a", "bc") and ("ab", "c") differ.
  return createHash("sha256").update(JSON.stringify(words)).digest();
}
