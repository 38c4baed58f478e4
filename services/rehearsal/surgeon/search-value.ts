import type { JsonSchema } from "#shared/json";
import { isRecord } from "#shared/json";
import { readNumberWords } from "./number-words.ts";
import { familyOf, wordsFor, wordsOf } from "./word-families.ts";

/** A field to fill: its name and schema. */
export interface Wanted {
  readonly name: string;
  readonly schema: JsonSchema;
}

/** Characters of context around a value. */
const NEAR = 48;

/**
 * Searches texts, in order, for a field's value: numbers near a word for the field, identifiers and dates by form,
 * enum members by related words. Undefined when nothing stands out.
 */
export function searchValue(wanted: Wanted, texts: readonly string[]): unknown {
  for (const text of texts) {
    const found = searchOne(wanted, text);
    if (found !== undefined) return found;
  }
  return undefined;
}

function searchOne({ name, schema }: Wanted, text: string): unknown {
  const members = membersOf(schema);
  if (members !== null) return findMember(members, schema, text);
  if (schema["type"] === "number" || schema["type"] === "integer") return findNumber(name, schema, text);
  if (schema["type"] === "string") return findString(name, schema, text);
  return undefined;
}

/** The string members of an enum or const; null for other schemas. */
export function membersOf(schema: JsonSchema): readonly string[] | null {
  const members = "const" in schema ? [schema["const"]] : schema["enum"];
  if (!Array.isArray(members)) return null;
  return members.filter((member): member is string => typeof member === "string");
}

const SIGN_WORDS: Readonly<Record<string, string>> = { "€": "euro", $: "dollar", "£": "pound" };
const SIGN = /[€$£]/g;

/** The member with the most related words in the text; undefined for a tie or none. */
export function findMember(members: readonly string[], schema: JsonSchema, text: string): string | undefined {
  if (members.length === 1) return members[0];
  const synonyms = isRecord(schema["x-synonyms"]) ? schema["x-synonyms"] : {};
  const padded = ` ${wordsOf(text.replaceAll(SIGN, (sign) => ` ${SIGN_WORDS[sign] ?? sign} `))} `;
  const scored = members
    .map((member) => {
      const declared = Object.hasOwn(synonyms, member) ? synonyms[member] : [];
      const words = wordsFor(member, Array.isArray(declared) ? declared.map(String) : []);
      return { member, score: words.reduce((sum, each) => sum + padded.split(` ${each} `).length - 1, 0) };
    })
    .toSorted((a, b) => b.score - a.score);
  const [best, second] = scored;
  return best !== undefined && best.score > (second?.score ?? 0) ? best.member : undefined;
}

// A number that is no part of an identifier, date or version.
const NUMBER =
  /(?<![\w#.,/-])(\d{1,3}(?:[ ,.']\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?)(?![\w/-]|[.,]\d)/g;
const MONEY = /[€$£]|\b(eur|euros?|usd|dollars?|gbp|pounds?|pln|zł)\b/i;

function findNumber(name: string, schema: JsonSchema, text: string): number | undefined {
  const family = familyOf(name);
  const isMoney = family.includes("amount");
  const candidates = [...text.matchAll(NUMBER)].flatMap((match) => {
    const value = readNumber(match[0]);
    if (value === null || (schema["type"] === "integer" && !Number.isInteger(value))) return [];
    const before = wordsOf(text.slice(Math.max(0, match.index - NEAR), match.index));
    const beside = text.slice(Math.max(0, match.index - 4), match.index + match[0].length + 9);
    const isNamed = family.some((words) => ` ${before} `.includes(` ${words} `));
    return [{ value, score: (isNamed ? 1 : 0) + (isMoney && MONEY.test(beside) ? 2 : 0) }];
  });
  const best = Math.max(0, ...candidates.map(({ score }) => score));
  const values = new Set(
    candidates.filter(({ score }) => score === best && best > 0).map(({ value }) => value),
  );
  const [only] = values;
  if (values.size === 1) return only;
  return values.size === 0 && isMoney ? (readNumberWords(text) ?? undefined) : undefined;
}

/** Reads "1.234,50", "1,234.50", "42,5": the last separator with one or two digits after it is the decimal one. */
export function readNumber(text: string): number | null {
  const match = /^(?<whole>\d[\d ,.']*?)(?:[.,](?<cents>\d{1,2}))?$/.exec(text.trim());
  const whole = match?.groups?.["whole"]?.replaceAll(/\D/g, "");
  if (whole === undefined || whole.length > 15) return null;
  return Number(`${whole}.${match?.groups?.["cents"] ?? "0"}`);
}

const FORMATS: Readonly<Record<string, RegExp>> = {
  email: /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/g,
  date: /\b\d{4}-\d{2}-\d{2}\b/g,
  "date-time": /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})/g,
  uuid: /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi,
  uri: /\bhttps?:\/\/[^\s"'<>]{1,500}/g,
};
const IDENTIFIER = /\b[A-Z]{1,6}[-_]?\d{3,12}\b|(?<=#)\d{3,12}\b/g;
const SYMBOLS: readonly (readonly [RegExp, string])[] = [
  [/€|\beuros?\b/i, "EUR"],
  [/\$|\bdollars?\b/i, "USD"],
  [/£|\bpounds?\b/i, "GBP"],
  [/zł|\bzloty\b/i, "PLN"],
];
const FREE_TEXT = new Set(["summary", "reason", "title", "steps"]);
const FREE_TEXT_CHARACTERS_MAX = 300;

function findString(name: string, schema: JsonSchema, text: string): string | undefined {
  const family = familyOf(name);
  const { pattern, format } = schema;
  const form = formOf(family.includes("email") ? "email" : format);
  if (form !== undefined) return onlyMatch(text, form);
  if (family.includes("currency"))
    return onlyOne(SYMBOLS.filter(([sign]) => sign.test(text)).map(([, code]) => code));
  if (typeof pattern === "string") return onlyMatch(text, unanchored(pattern));
  if (/\b(id|number|no|ref|reference|code)\b/.test(family[0] ?? "")) return onlyMatch(text, IDENTIFIER);
  return family.some((words) => FREE_TEXT.has(words)) ? firstSentences(text, schema) : undefined;
}

function formOf(format: unknown): RegExp | undefined {
  return typeof format === "string" && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
}

/** Removes a pattern's anchors. An invalid pattern matches nothing. */
function unanchored(pattern: string): RegExp {
  try {
    return new RegExp(
      String.raw`(?<![\w-])(?:${pattern.replace(/^\^/, "").replace(/\$$/, "")})(?![\w-])`,
      "g",
    );
  } catch {
    return /(?!)/g;
  }
}

function onlyMatch(text: string, form: RegExp): string | undefined {
  return onlyOne([...text.matchAll(form)].map((match) => match[0]));
}

function onlyOne(found: readonly string[]): string | undefined {
  const different = new Set(found);
  return different.size === 1 ? found[0] : undefined;
}

/** Verbatim words of the text, so that the proof finds them there. */
function firstSentences(text: string, schema: JsonSchema): string | undefined {
  const charactersMax = Math.min(
    FREE_TEXT_CHARACTERS_MAX,
    Number(schema["maxLength"] ?? FREE_TEXT_CHARACTERS_MAX),
  );
  const plain = text.trim();
  if (plain === "" || /^[[{]/.test(plain)) return undefined;
  if (plain.length <= charactersMax) return plain;
  const cut = plain.slice(0, charactersMax);
  return cut.slice(0, Math.max(cut.lastIndexOf(". ") + 1, cut.lastIndexOf(" "))).trim() || undefined;
}
