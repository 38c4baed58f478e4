import type { z } from "zod";
import type { question } from "../contracts.ts";
import type { Requirement } from "../requirements.ts";
import { readQuantities } from "../reading/read-quantities.ts";
import type { Quantity } from "../reading/read-quantities.ts";

/** One circuit that a brief asks for: with all it needs, or with questions about what is missing. */
export interface Reading {
  readonly requirement: Requirement | null;
  readonly questions: readonly z.output<typeof question>[];
}

export interface Place {
  readonly sentence: string;
  /** Volts that everything runs on; null where the brief does not say. */
  readonly supply: number | null;
  /** Of the circuit, from 1. */
  readonly number: number;
}

const TOLERANCE_PERCENT_DEFAULT = 5;

const valuesOf = (quantities: readonly Quantity[], unit: Quantity["unit"]): Quantity[] =>
  quantities.filter((one) => one.unit === unit);

export const toMilli = (value: number): number => Number((value * 1000).toPrecision(9));

/** A question for every quantity that is not there; null where all are. */
function ask(about: string, missing: Readonly<Record<string, unknown>>): z.output<typeof question>[] {
  return Object.entries(missing)
    .filter(([, value]) => value === undefined || value === null)
    .map(([what]) => ({ about, question: `What is the ${what} of ${about}?` }));
}

/** The forward voltage stands beside the word forward, or before the LED that has it. */
export function readLed({ sentence, supply, number }: Place): Reading {
  const id = `led-${number}`;
  const quantities = readQuantities(sentence);
  const volts = valuesOf(quantities, "V");
  const forward = volts.find((one) => isForward(sentence, one));
  const own = volts.find((one) => one !== forward)?.value ?? supply ?? undefined;
  const current = valuesOf(quantities, "A")[0]?.value;
  if (forward === undefined || own === undefined || current === undefined) {
    const missing = { "supply voltage": own, "forward voltage": forward, current };
    return { requirement: null, questions: ask(`the LED in "${shorten(sentence)}"`, missing) };
  }
  const stated = { supply_volts: own, forward_volts: forward.value, current_milliamps: toMilli(current) };
  return { requirement: { kind: "led", id, ...stated }, questions: [] };
}

function isForward(sentence: string, { at, text }: Quantity): boolean {
  const [before, after] = [
    sentence.slice(Math.max(0, at - 30), at),
    sentence.slice(at + text.length, at + text.length + 20),
  ];
  return (
    /\b(?:forward|Vf|drops?|drop of)\b[^\d]*$/i.test(before) ||
    /^\s*(?:forward|drop)/i.test(after) ||
    /^\s*(?:\w+\s)?LED\b/.test(after)
  );
}

/** From the larger voltage to the smaller. */
export function readDivider({ sentence, supply, number }: Place): Reading {
  const quantities = readQuantities(sentence);
  const volts = valuesOf(quantities, "V")
    .map(({ value }) => value)
    .toSorted((a, b) => b - a);
  const [input = supply ?? undefined, output = volts.length === 1 && supply !== null ? volts[0] : undefined] =
    volts.length === 1 && supply !== null ? [supply, volts[0]] : volts;
  const tolerance = valuesOf(quantities, "%")[0]?.value ?? TOLERANCE_PERCENT_DEFAULT;
  if (input === undefined || output === undefined) {
    const missing = { "input voltage": input, "output voltage": output };
    return { requirement: null, questions: ask(`the divider in "${shorten(sentence)}"`, missing) };
  }
  const stated = { input_volts: input, output_volts: output, tolerance_percent: tolerance };
  return { requirement: { kind: "divider", id: `divider-${number}`, ...stated }, questions: [] };
}

export function readFilter({ sentence, number }: Place): Reading {
  const cutoff = valuesOf(readQuantities(sentence), "Hz")[0]?.value;
  if (cutoff === undefined) {
    return {
      requirement: null,
      questions: ask(`the filter in "${shorten(sentence)}"`, { "cutoff frequency": cutoff }),
    };
  }
  return { requirement: { kind: "low_pass", id: `filter-${number}`, cutoff_hertz: cutoff }, questions: [] };
}

export function shorten(sentence: string): string {
  return sentence.length <= 40 ? sentence : `${sentence.slice(0, 39)}…`;
}
