import type { JsonSchema } from "#shared/json";
import { scalarText } from "#shared/schema";
import type { JsonObject, JsonValue } from "#shared/schema";
import type { Quote } from "../second-reading.ts";

/** For tests: picks by a seed. */
export interface Dice {
  readonly chance: (share: number) => boolean;
  readonly upTo: (max: number) => number;
  readonly pick: <Item>(items: readonly Item[]) => Item;
}

export function diceOf(seed: number): Dice {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const upTo = (max: number): number => Math.floor(next() * (max + 1));
  return {
    chance: (share) => next() < share,
    upTo,
    // The index is within the list.
    pick: (items) => items[upTo(items.length - 1)] as (typeof items)[number],
  };
}

/** A message, what it says, and where it says it. */
export interface Message {
  readonly text: string;
  readonly value: JsonValue | undefined;
  readonly kind: "json" | "damaged" | "lines" | "prose" | "mixed";
  readonly schema: JsonSchema;
  readonly truth: JsonObject;
  readonly quotes: readonly Quote[];
}

interface Said {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly value: JsonValue;
  /** Sentences, each with the pointer of the value that it gives. */
  readonly sentences: readonly Quote[];
}

type Field = (dice: Dice, language: Language) => Said;

/** Sentences of one language, by field. `%` stands for the value. */
export interface Language {
  readonly end: string;
  readonly id: string;
  readonly amount: string;
  readonly currency: string;
  readonly urgent: readonly [yes: string, no: string];
  readonly decision: readonly [accept: string, reject: string, defer: string];
  readonly note: string;
  readonly objection: string;
  readonly noObjection: string;
  readonly from: string;
  readonly to: string;
}

const ITEMS = ["claim one", "the second claim", "the figure on page nine", "der Titel", "主張三", "الادعاء"];
const NAMES = ["Ann Lee", "Bob Smith", "Олена Шевченко", "田中さくら", "Zoë Groß", "José García"];
const NOTES = [
  "the customer died on Monday",
  "do not ring the bell",
  "call back before noon and ask for the manager",
  "Kunde verlangt Ersatz",
  "客户要求退款",
  "Клиент недоволен",
];

const text = (max?: number): JsonSchema => ({
  type: "string",
  minLength: 1,
  ...(max === undefined ? {} : { maxLength: max }),
});
const filled = (sentence: string, value: JsonValue): string => sentence.replace("%", scalarText(value));

const FIELDS: Readonly<Record<string, Field>> = {
  order_id: (dice, { id }) => {
    const value = `A-${10 + dice.upTo(989)}`;
    return said("order_id", { schema: text(), value, sentence: filled(id, value) });
  },
  amount: (dice, { amount }) => {
    const value = dice.chance(0.5) ? 1 + dice.upTo(5000) : (1 + dice.upTo(50_000)) / 100;
    return said("amount", { schema: { type: "number" }, value, sentence: filled(amount, value) });
  },
  currency: (dice, { currency }) => {
    const value = dice.pick(["EUR", "USD", "GBP"]);
    const schema = { enum: ["EUR", "USD", "GBP"], ...(dice.chance(0.5) ? { default: "EUR" } : {}) };
    return said("currency", { schema, value, sentence: filled(currency, value) });
  },
  urgent: (dice, { urgent: [yes, no] }) => {
    const value = dice.chance(0.5);
    const schema = { type: "boolean", ...(dice.chance(0.5) ? { default: false } : {}) };
    return said("urgent", { schema, value, sentence: value ? yes : no });
  },
  decision: (dice, { decision }) => {
    const at = dice.upTo(2);
    const value = ["accept", "reject", "defer"][at] ?? "";
    const schema = { enum: ["accept", "reject", "defer"], default: "accept" };
    return said("decision", { schema, value, sentence: decision[at] ?? "" });
  },
  note: (dice, { note }) => {
    const value = dice.pick(NOTES);
    const schema = dice.chance(0.5)
      ? { anyOf: [text(), { type: "null" }], default: null }
      : text(dice.pick([80, 20]));
    const isLong = value.length > Number(schema["maxLength"] ?? 99);
    return said("note", { schema: isLong ? text(80) : schema, value, sentence: filled(note, value) });
  },
  objections: (dice, { objection, noObjection }) => {
    const value = ITEMS.filter(() => dice.chance(0.35));
    const schema = { type: "array", items: text(), ...(dice.chance(0.5) ? { default: [] } : {}) };
    const sentences = value.map((item, at) => ({ path: `/objections/${at}`, text: filled(objection, item) }));
    return {
      name: "objections",
      schema,
      value,
      sentences: value.length === 0 ? [{ path: "/objections", text: noObjection }] : sentences,
    };
  },
  people: (dice, { from, to }) => {
    const [payer, payee] = [dice.pick(NAMES.slice(0, 3)), dice.pick(NAMES.slice(3))];
    return {
      name: "people",
      schema: {
        type: "object",
        additionalProperties: false,
        required: ["payer", "payee"],
        properties: { payer: text(), payee: text() },
      },
      value: { payer, payee },
      sentences: [
        { path: "/people/payer", text: filled(from, payer) },
        { path: "/people/payee", text: filled(to, payee) },
      ],
    };
  },
};

function said(
  name: string,
  { schema, value, sentence }: { schema: JsonSchema; value: JsonValue; sentence: string },
): Said {
  return { name, schema, value, sentences: [{ path: `/${name}`, text: sentence }] };
}

const FRAMES = ["", "", "Here is the corrected JSON:\n", "Sure! Here it is:\n\n"];

/** Makes a message in one of the ways in which they come, with what it says. */
export function makeMessage(dice: Dice, languages: readonly Language[]): Message {
  const language = dice.pick(languages);
  const names = Object.keys(FIELDS).filter(() => dice.chance(0.45));
  const fields = (names.length === 0 ? ["objections"] : names).map((name) =>
    (FIELDS[name] as Field)(dice, language),
  );
  const truth = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
  const schema = {
    type: "object",
    additionalProperties: false,
    required: fields.filter(() => dice.chance(0.5)).map(({ name }) => name),
    properties: Object.fromEntries(fields.map((field) => [field.name, field.schema])),
  };
  const kind = dice.pick(["json", "damaged", "lines", "prose", "mixed"] as const);
  const cut = kind === "mixed" ? 1 + dice.upTo(fields.length - 1) : kind === "prose" ? fields.length : 0;
  const quotes = fields.slice(0, cut).flatMap(({ sentences }) => sentences);
  const prose = quotes.map((one) => one.text).join(language.end === "。" ? "" : " ");
  const rest = Object.fromEntries(fields.slice(cut).map(({ name, value }) => [name, value]));
  const base = { kind, schema, truth, quotes } as const;
  if (kind === "json") {
    const value = loosened(truth, dice);
    return { ...base, text: JSON.stringify(value), value };
  }
  if (kind === "lines")
    return {
      ...base,
      kind: isFlat(truth) ? kind : "damaged",
      text: isFlat(truth) ? linesOf(truth) : damaged(truth, dice),
      value: undefined,
    };
  if (kind === "damaged")
    return { ...base, text: dice.pick(FRAMES) + damaged(truth, dice), value: undefined };
  if (kind === "prose" || Object.keys(rest).length === 0)
    return { ...base, kind: "prose", text: prose, value: undefined };
  const data = damaged(rest, dice);
  return { ...base, text: dice.chance(0.5) ? `${prose}\n${data}` : `${data}\n${prose}`, value: undefined };
}

function isFlat(value: JsonObject): boolean {
  return Object.values(value).every((one) => typeof one !== "object");
}

function linesOf(value: JsonObject): string {
  return Object.entries(value)
    .map(([name, one]) => `${name}: ${scalarText(one)}`)
    .join("\n");
}

/** As a producer writes it that mistakes types and names. */
function loosened(value: JsonObject, dice: Dice): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      dice.chance(0.2) ? name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()) : name,
      typeof one === "number" || typeof one === "boolean" ? String(one) : (one ?? null),
    ]),
  );
}

function damaged(value: JsonObject, dice: Dice): string {
  const json = JSON.stringify(value, null, dice.pick([0, 2]));
  return dice.pick([
    json.replace(/\}$/, ",}"),
    json.replaceAll(/"(\w+)":/g, "$1:").replace(/\}$/, ",}"),
    `\`\`\`json\n${json}\n\`\`\``,
  ]);
}
