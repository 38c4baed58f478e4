import type { PowerBudget } from "../requirements.ts";
import { readQuantities } from "../reading/read-quantities.ts";
import type { Quantity } from "../reading/read-quantities.ts";
import { toMilli } from "./read-circuits.ts";
import type { Reading } from "./read-circuits.ts";

type Load = PowerBudget["loads"][number];

const ALWAYS = /\b(?:always|all the time|constantly|continuously|permanently|at all times)\b/i;
const DRAWS = /\b(?:draws?|takes?|needs?|uses?|consumes?)\b/i;

/** The battery, what it feeds and how long it is to last, wherever in the brief they stand. */
export function readBudget({
  sentences,
  number,
}: {
  readonly sentences: readonly string[];
  readonly number: number;
}): Reading {
  const quantities = sentences.map(readQuantities);
  const first = (unit: Quantity["unit"]): number | undefined =>
    quantities.flat().find((one) => one.unit === unit)?.value;
  const [capacity, hours] = [first("Ah"), first("h")];
  const parts = sentences.flatMap((sentence) =>
    DRAWS.test(sentence) && !/\bLED\b/.test(sentence) ? splitLoads(sentence) : [],
  );
  const loads = parts.flatMap((part) => readLoad(part) ?? []);
  const undecided = parts.filter((part) => readLoad(part) === null && hasCurrent(part));
  const about = "the battery";
  const questions = [
    ...(capacity === undefined ? [{ about, question: "What is the battery's capacity in mAh?" }] : []),
    ...(hours === undefined ? [{ about, question: "How long is the battery to last?" }] : []),
    ...(loads.length + undecided.length === 0
      ? [{ about, question: "What does each part draw, and how much of the time?" }]
      : []),
    ...undecided.map((part) => ({
      about: nameOf(part),
      question: `For how much of the time does ${nameOf(part)} draw its current?`,
    })),
  ];
  if (questions.length > 0 || capacity === undefined || hours === undefined)
    return { requirement: null, questions };
  const stated = { battery_milliamp_hours: toMilli(capacity), loads, hours_wanted: hours };
  return { requirement: { kind: "power_budget", id: `power-${number}`, ...stated }, questions: [] };
}

/** One part for each current: "the radio draws 80 mA for 5 % of the time and the sensor 3 mA all the time". */
function splitLoads(sentence: string): string[] {
  return sentence
    .split(/(?:,|;|\band\b|\bwhile\b)(?=[^,;]*?\d[\d.,]*\s*(?:m|µ|μ|u)?A\b)/i)
    .filter(hasCurrent);
}

function hasCurrent(part: string): boolean {
  return readQuantities(part).some(({ unit }) => unit === "A");
}

/** Null where it is not said for how much of the time. */
function readLoad(part: string): Load | null {
  const quantities = readQuantities(part);
  const current = quantities.find(({ unit }) => unit === "A")?.value;
  const duty = quantities.find(({ unit }) => unit === "%")?.value ?? (ALWAYS.test(part) ? 100 : undefined);
  if (current === undefined || duty === undefined) return null;
  return { name: nameOf(part), milliamps: toMilli(current), duty_percent: duty };
}

/** The words before the current, without the verb. */
function nameOf(part: string): string {
  const [head = ""] = part.split(/\d/);
  const name = head
    .replace(DRAWS, "")
    .replaceAll(/\b(?:the|a|an|its|about|up to|and)\b/gi, "")
    .replaceAll(/[^\p{L}\s-]/gu, " ");
  return name.replaceAll(/\s+/g, " ").trim().slice(0, 80) || "a part";
}
