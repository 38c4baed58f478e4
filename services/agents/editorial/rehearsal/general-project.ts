import type { StandIn } from "#shared/runtime";
import { readSentences } from "../reading/paragraphs.ts";
import { readQuantities } from "../reading/read-quantities.ts";
import type { PlanInput } from "../general-project/answer.ts";
import { readBudget } from "./read-budget.ts";
import { readDivider, readFilter, readLed } from "./read-circuits.ts";
import type { Reading } from "./read-circuits.ts";

/** Reads a brief sentence by sentence: which circuits it asks for, and what it does not say about them. */
export const planProject: StandIn = ({ title, brief }: PlanInput) => {
  const sentences = readSentences(brief);
  const supply = readSupply(brief);
  const readings: Reading[] = [];
  for (const sentence of sentences) {
    const place = { sentence, supply, number: readings.length + 1 };
    if (/\bLEDs?\b/.test(sentence)) readings.push(readLed(place));
    if (/\b(?:divid|scal\w+ (?:down|to)|sense|measure)\w*\b/i.test(sentence) && voltsIn(sentence) > 0)
      readings.push(readDivider(place));
    if (/\b(?:low[- ]pass|cut-?off|filter)\b/i.test(sentence)) readings.push(readFilter(place));
  }
  if (/\bbatter(?:y|ies)\b/i.test(brief))
    readings.push(readBudget({ sentences, number: readings.length + 1 }));
  return {
    summary: `${title}: ${readings.length} circuits.`,
    requirements: readings.flatMap(({ requirement }) => requirement ?? []).slice(0, 12),
    questions: readings.flatMap(({ questions }) => questions).slice(0, 12),
  };
};

function voltsIn(sentence: string): number {
  return readQuantities(sentence).filter(({ unit }) => unit === "V").length;
}

/** The voltage that everything runs on, where the brief says so once. */
function readSupply(brief: string): number | null {
  const after =
    /\b(?:runs? (?:on|from)|supply(?: is| of)?|powered (?:by|from)|supplied with)\b([^.;]{0,60}?\d[\d.,]*\s*m?V)\b/i.exec(
      brief,
    )?.[1];
  const before = /(\d[\d.,]*\s*m?V)\s+(?:supply|rail)\b/i.exec(brief)?.[1];
  return readQuantities(after ?? before ?? "").find(({ unit }) => unit === "V")?.value ?? null;
}
