import { readQuantities } from "../reading/read-quantities.ts";
import { settle, toMilli, valuesOf } from "./read-circuits.ts";
import type { Reading } from "./read-circuits.ts";

const ALWAYS =
  /(?<!\p{L})(?:always|all the time|constantly|continuously|permanently|dauernd|ständig|immer|todo el tiempo|siempre|tout le temps|en permanence|sempre|altijd)(?!\p{L})/iu;
const DRAWS =
  /(?<!\p{L})(?:draws?|takes?|needs?|uses?|consumes?|braucht|zieht|verbraucht|consume|consomme|consuma|verbruikt)(?!\p{L})/iu;
const BATTERY = /(?<!\p{L})(?:batter(?:y|ies)|akkus?|batterien?|bater[íi]as?|batteri[ae]|accu)(?!\p{L})/iu;

export function isBudget(sentences: readonly string[]): boolean {
  return sentences.some((sentence) => BATTERY.test(sentence) && valuesOf(sentence, "Ah").length > 0);
}

/** The battery, what it feeds and how long it is to last, wherever in the brief they stand. */
export function readBudget(sentences: readonly string[], id: string): Reading {
  const only = (unit: "Ah" | "h"): number | undefined => {
    const values = valuesOf(sentences.join(" "), unit);
    return values.length === 1 ? values[0] : undefined;
  };
  const parts = sentences.flatMap((sentence) => (DRAWS.test(sentence) ? splitLoads(sentence) : []));
  const undecided = parts.filter((part) => dutyOf(part) === undefined);
  const capacity = only("Ah");
  const settled = settle({
    kind: "power_budget",
    id,
    battery_milliamp_hours: capacity === undefined ? undefined : toMilli(capacity),
    loads: parts.map((part) => ({
      name: nameOf(part),
      milliamps: toMilli(valuesOf(part, "A")[0] ?? 0),
      duty_percent: dutyOf(part) ?? 100,
    })),
    hours_wanted: only("h"),
  } as const);
  if (undecided.length === 0) return settled;
  const asked = undecided.map((part) => ({
    about: nameOf(part),
    question: `For how much of the time does ${nameOf(part)} draw its current?`,
  }));
  return { requirement: null, questions: [...settled.questions, ...asked] };
}

/** One part for each current: "the radio draws 80 mA for 5 % of the time and the sensor 3 mA all the time". */
function splitLoads(sentence: string): string[] {
  return sentence
    .split(
      /(?:,|;|(?<!\p{L})(?:and|while|und|y|et|e|en)(?!\p{L}))(?=[^,;]*?\d[\d.,]*\s*(?:m|µ|μ|u)?A(?!\p{L}))/iu,
    )
    .filter((part) => readQuantities(part).some(({ unit }) => unit === "A"));
}

function dutyOf(part: string): number | undefined {
  return valuesOf(part, "%")[0] ?? (ALWAYS.test(part) ? 100 : undefined);
}

/** The words before the current, without the verb. */
function nameOf(part: string): string {
  const [head = ""] = part.split(/\d/);
  const name = head
    .replace(DRAWS, "")
    .replaceAll(/(?<!\p{L})(?:the|an?|its|about|up to|and)(?!\p{L})/giu, "");
  return (
    name
      .replaceAll(/[^\p{L}\s-]/gu, " ")
      .replaceAll(/\s+/g, " ")
      .trim()
      .slice(0, 80) || "a part"
  );
}
