import type { z } from "zod";
import type { question } from "../contracts.ts";
import { requirement as requirementSchema } from "../requirements.ts";
import type { Requirement } from "../requirements.ts";
import { readQuantities } from "../reading/read-quantities.ts";
import type { Quantity } from "../reading/read-quantities.ts";

/** One circuit that a brief asks for: with all it needs, or with questions about what is missing. */
export interface Reading {
  readonly requirement: Requirement | null;
  readonly questions: readonly z.output<typeof question>[];
}

/** The words about a circuit, and the voltages of the brief that belong to no other. */
export interface Place {
  readonly words: string;
  readonly supplies: readonly number[];
  readonly id: string;
}

const FORWARD =
  "(?:forward voltage|forward|vf|drops?|uf|flussspannung|vorwärtsspannung|tensi[óo]n directa|tension directe|tensione diretta|doorlaatspanning)";
const VALUE = "[-−]?\\d{1,7}(?:[.,]\\d{1,6})?\\s*m?V(?!\\p{L})";
const FORWARD_FIRST = new RegExp(`(?<!\\p{L})${FORWARD}(?!\\p{L})[^\\d;]{0,30}?(${VALUE})`, "iu");
const FORWARD_LAST = new RegExp(`(${VALUE})\\s+(?:of\\s+)?${FORWARD}(?!\\p{L})`, "iu");
const CONVERTER = new RegExp(
  `(?<!\\p{L})(?:converter|adc|wandler|convertidor|convertisseur|convertitore)(?!\\p{L})[^\\d;]{0,20}?(${VALUE})`,
  "iu",
);

export const isLed = (sentence: string): boolean => /(?<!\p{L})leds?(?!\p{L})/iu.test(sentence);
export const hasForward = (sentence: string): boolean =>
  FORWARD_FIRST.test(sentence) || FORWARD_LAST.test(sentence);
export const isDivider = (sentence: string): boolean => CONVERTER.test(sentence);
export const isLowPass = (sentence: string): boolean =>
  /(?<!\p{L})(?:low[- ]?pass|tiefpass|passe-bas|paso bajo|passa-?basso|laagdoorlaat)\p{L}*/iu.test(sentence);

export const toMilli = (value: number): number => Number((value * 1000).toPrecision(9));

export function valuesOf(words: string, unit: Quantity["unit"]): number[] {
  return [
    ...new Set(
      readQuantities(words)
        .filter((one) => one.unit === unit)
        .map(({ value }) => value),
    ),
  ];
}

/** The forward voltage stands beside its name; what other voltage there is, if it is one, is the supply. */
export function readLed({ words, supplies, id }: Place): Reading {
  const { named, rest } = takeOut(FORWARD_FIRST.exec(words) ?? FORWARD_LAST.exec(words), words);
  const own = valuesOf(rest, "V");
  return settle({
    kind: "led",
    id,
    supply_volts: onlyOne(own.length > 0 ? own : supplies),
    forward_volts: named,
    current_milliamps: milli(onlyOne(valuesOf(words, "A"))),
  });
}

export function readDivider({ words, id }: Place): Reading {
  const { named, rest } = takeOut(CONVERTER.exec(words), words);
  return settle({
    kind: "divider",
    id,
    input_volts: onlyOne(valuesOf(rest, "V")),
    output_volts: named,
    tolerance_percent: onlyOne(valuesOf(words, "%")),
  });
}

/** The voltage that was found by its name, and the words without it. */
function takeOut(found: RegExpExecArray | null, words: string): { named: number | undefined; rest: string } {
  if (found === null) return { named: undefined, rest: words };
  const { index, 0: whole, 1: value = "" } = found;
  const rest = `${words.slice(0, index)} ${words.slice(index + whole.length)}`;
  return { named: valuesOf(value, "V")[0], rest };
}

export function readLowPass({ words, id }: Place): Reading {
  const [capacitor, ...others] = valuesOf(words, "F");
  const nanofarads = capacitor === undefined ? null : Number((capacitor * 1e9).toPrecision(9));
  return settle({
    kind: "low_pass",
    id,
    cutoff_hertz: onlyOne(valuesOf(words, "Hz")),
    capacitor_nanofarads: others.length === 0 ? nanofarads : null,
  });
}

function onlyOne(values: readonly number[]): number | undefined {
  return values.length === 1 ? values[0] : undefined;
}

function milli(value: number | undefined): number | undefined {
  return value === undefined ? undefined : toMilli(value);
}

/** Stated quantities of a circuit. */
interface Stated {
  readonly kind: Requirement["kind"];
  readonly id: string;
  readonly [field: string]: unknown;
}

/** A requirement where every quantity is stated once and can be; a question for each other. */
export function settle(stated: Stated): Reading {
  const checked = requirementSchema.safeParse(stated);
  if (checked.success) return { requirement: checked.data, questions: [] };
  const fields = [...new Set(checked.error.issues.map(({ path }) => String(path[0])))];
  return {
    requirement: null,
    questions: fields.map((field) => ({
      about: stated.id,
      question: `Which ${field.replaceAll("_", " ")} has ${stated.id}? It is not stated, or not once and possible.`,
    })),
  };
}
