import {
  boolean,
  closed,
  DUE,
  integer,
  list,
  number,
  oneOf,
  PRIORITY,
  QTY,
  read,
  refuse,
  STEPS,
  TAGS,
  text,
  TOTAL,
} from "../contracts.ts";
import type { PolicyRow } from "../contracts.ts";

const described = (type: object, description: string): object => ({ ...type, description });

export const NUMBERS: readonly PolicyRow[] = [
  read("number as text", ['{"qty": "12"}', { qty: 12 }, QTY], "It has one value."),
  read("whole number with a fraction of zero", ['{"qty": "3.0"}', { qty: 3 }, QTY], "It has one value."),
  refuse("fraction for a whole number", ['{"qty": "3.5"}', "mismatch", QTY], "Numbers are never rounded."),
  refuse(
    "number beyond the limit",
    ['{"qty": "12"}', "mismatch", closed({ qty: { ...integer, maximum: 10 } })],
    "Numbers are never clamped.",
  ),
  read(
    "unit in the name",
    ['{"temperature_c": "38.5 °C"}', { temperature_c: 38.5 }, closed({ temperature_c: number })],
    "The contract states the unit.",
  ),
  read(
    "unit in the description",
    ['{"temp": "38.5 °C"}', { temp: 38.5 }, closed({ temp: described(number, "in degrees Celsius") })],
    "The contract states the unit.",
  ),
  refuse(
    "smaller or larger unit",
    ['{"weight": "2500 g"}', "mismatch", closed({ weight: { ...number, "x-unit": "kg" } })],
    "First aid converts nothing.",
  ),
  refuse(
    "another unit",
    ['{"temp": "101 °F"}', "mismatch", closed({ temp: described(number, "in degrees Celsius") })],
    "The contract states another one.",
  ),
  refuse(
    "unknown unit",
    ['{"dose": "5 mg"}', "mismatch", closed({ dose: number })],
    "The contract states no unit.",
  ),
  read(
    "noun that the name holds",
    ['{"guests": "4 guests"}', { guests: 4 }, closed({ guests: integer })],
    "The noun says what the name says.",
  ),
  read(
    "percent for a share",
    [
      '{"confidence": "85%"}',
      { confidence: 0.85 },
      closed({ confidence: { ...number, minimum: 0, maximum: 1 } }),
    ],
    "The limits state the scale.",
  ),
  read(
    "scale in words",
    ['{"share": "45 %"}', { share: 45 }, closed({ share: { ...number, description: "Share, in percent" } })],
    "The description states the unit.",
  ),
  refuse(
    "percent without a scale",
    ['{"rate": "85%"}', "mismatch", closed({ rate: number })],
    "85 or 0.85: nothing tells.",
  ),
  read(
    "rating",
    ['{"rating": "4/5"}', { rating: 4 }, closed({ rating: { ...integer, minimum: 1, maximum: 5 } })],
    "The limits state the scale.",
  ),
  read(
    "rating on a scale in words",
    ['{"rating": "4/5"}', { rating: 4 }, closed({ rating: { ...integer, description: "1 to 5 stars" } })],
    "The description states the scale.",
  ),
  refuse(
    "rating on another scale",
    ['{"rating": "8/10"}', "mismatch", closed({ rating: { ...integer, minimum: 1, maximum: 5 } })],
    "The contract's scale ends at 5.",
  ),
  read(
    "currency beside",
    ['{"total": "49.90 EUR", "currency": "EUR"}', { total: 49.9, currency: "EUR" }, TOTAL],
    "The other member states it.",
  ),
  refuse(
    "currency that contradicts",
    ['{"total": "€10", "currency": "USD"}', "mismatch", TOTAL],
    "One of the two is wrong.",
  ),
  read(
    "grouping",
    ['{"total": "1.234,50", "currency": "EUR"}', { total: 1234.5, currency: "EUR" }, TOTAL],
    "Two marks leave one reading.",
  ),
  refuse(
    "doubtful grouping",
    ['{"total": "1.234"}', "ambiguous", closed({ total: number })],
    "1.234 or 1,234: nothing tells.",
  ),
  refuse("range", ['{"qty": "3-5"}', "mismatch", QTY], "It is no number."),
  refuse("vague number", ['{"qty": "about 5"}', "mismatch", QTY], "The text itself is unsure."),
  refuse("words for a number", ['{"qty": "a few"}', "mismatch", QTY], "No number is named."),
  refuse(
    "number behind another name",
    ['{"line": "page 12"}', "mismatch", closed({ line: integer })],
    "It counts something else.",
  ),
  read(
    "percent where the contract wants a fraction",
    [
      '{"rate": "19 %"}',
      { rate: 0.19 },
      closed({ rate: described(number, "VAT rate as a number from 0 to 1") }),
    ],
    "The contract says that 1 is the whole.",
  ),
  read(
    "unit of several words",
    [
      '{"heart_rate_bpm": "88 beats per minute"}',
      { heart_rate_bpm: 88 },
      closed({ heart_rate_bpm: integer }),
    ],
    "It is the contract's unit.",
  ),
  refuse(
    "amount that carries the currency",
    ['{"total": "49.90 EUR"}', "mismatch", TOTAL],
    "No member has it.",
  ),
  refuse(
    "amount with a sign of several currencies",
    ['{"total": "$49.90"}', "missing", TOTAL],
    "Several countries have dollars.",
  ),
  refuse(
    "amounts that carry two currencies",
    [
      '{"net": "40 EUR", "gross": "49.90 USD"}',
      "mismatch",
      closed({ net: number, gross: number, currency: text }),
    ],
    "It may be either.",
  ),
];

export const DATES: readonly PolicyRow[] = [
  read("date in words", ['{"due": "March 5, 2024"}', { due: "2024-03-05" }, DUE], "It is one day."),
  read(
    "stated order",
    [
      '{"due": "05/03/2024"}',
      { due: "2024-03-05" },
      closed({ due: described({ type: "string", format: "date" }, "written DD/MM/YYYY") }),
    ],
    "The contract states the order.",
  ),
  read("day above twelve", ['{"due": "25/03/2024"}', { due: "2024-03-25" }, DUE], "There is no month 25."),
  refuse("doubtful order", ['{"due": "05/03/2024"}', "ambiguous", DUE], "May or March: nothing tells."),
  refuse("date that does not exist", ['{"due": "2024-02-30"}', "mismatch", DUE], "No day is meant."),
  refuse("relative date", ['{"due": "next Friday"}', "mismatch", DUE], "First aid knows no clock."),
];

export const WORDS: readonly PolicyRow[] = [
  read("case and punctuation", ['{"p": "HIGH."}', { p: "high" }, PRIORITY], "One member is spelled so."),
  read("suffix", ['{"p": "high priority"}', { p: "high" }, PRIORITY], "One member is named."),
  read(
    "declared synonym",
    [
      '{"p": "urgent"}',
      { p: "high" },
      closed({ p: { ...oneOf("high", "low"), "x-synonyms": { high: ["urgent"] } } }),
    ],
    "The contract says so.",
  ),
  refuse(
    "undeclared synonym",
    ['{"p": "urgent"}', "mismatch", PRIORITY],
    "What words mean is the contract's to say.",
  ),
  refuse("two members", ["keep|drop", "ambiguous", oneOf("keep", "drop")], "The text chooses neither."),
  refuse(
    "excepted member",
    ['{"level": "anything but high"}', "mismatch", closed({ level: oneOf("low", "high") })],
    "It names what is not meant.",
  ),
  read(
    "none as a member",
    ["{kind: none}", { kind: "none" }, closed({ kind: oneOf("none", "mail") })],
    "The contract knows the word.",
  ),
  refuse("negated member", ['{"p": "not high"}', "mismatch", PRIORITY], "It names what is not meant."),
  read("yes and no", ['{"ok": "yes"}', { ok: true }, closed({ ok: boolean })], "It has one meaning."),
  refuse(
    "perhaps",
    ['{"ok": "probably"}', "mismatch", closed({ ok: boolean })],
    "The text itself is unsure.",
  ),
  read(
    "no value",
    ['{"note": "N/A"}', { note: null }, closed({ note: { type: ["string", "null"], maxLength: 2 } })],
    "Null is allowed, and the words mean it.",
  ),
  read(
    "empty text for an optional member",
    ['{"qty": ""}', {}, closed({ qty: integer }, [])],
    "Nothing is said.",
  ),
  read(
    "names in another alphabet",
    ['{"p": "Été"}', { p: "ete" }, closed({ p: oneOf("ete", "hiver") })],
    "Only accents differ.",
  ),
];

export const LISTS: readonly PolicyRow[] = [
  refuse(
    "several lines in a text",
    ['{"steps": "- open it\\n- close it"}', "ambiguous", STEPS],
    "One item or two: nothing tells.",
  ),
  refuse("text with commas", ['{"tags": "red, blue"}', "ambiguous", TAGS], "One item or two: nothing tells."),
  refuse(
    "item that does not fit",
    ['{"scores": [1, "x", 3]}', "mismatch", closed({ scores: list(integer) })],
    "Items are never dropped.",
  ),
  read(
    "lines that are names",
    ["Oslo\nBergen\nNew York", ["Oslo", "Bergen", "New York"], list(text)],
    "Short lines without marks of a sentence are a list.",
  ),
  refuse(
    "lines of prose",
    ["I looked it up.\nThere are no cities.", "ambiguous", list(text)],
    "A sentence is no item.",
  ),
  refuse(
    "lines with letters",
    ["a) Oslo\nb) Bergen", "ambiguous", list(text)],
    "The letters may count the items, or belong to them.",
  ),
  refuse(
    "tags with their marks",
    ['{"tags": "#auth #web"}', "ambiguous", TAGS],
    "Whether the mark belongs to the tag is not said.",
  ),
];
