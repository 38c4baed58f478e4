import type { StandIn } from "#shared/runtime";
import { findOtherWork, isMixed } from "../reading/find-other-work.ts";
import { isTold } from "../reading/find-text-kind.ts";
import { readSentences } from "../reading/paragraphs.ts";
import type { PlanInput } from "../general-project/answer.ts";
import { isBudget, readBudget } from "./read-budget.ts";
import {
  hasForward,
  isDivider,
  isLed,
  isLowPass,
  readDivider,
  readLed,
  readLowPass,
  valuesOf,
} from "./read-circuits.ts";
import type { Reading } from "./read-circuits.ts";

/** Things that are built without electronics: all that the stand-in knows of such. */
const PLAIN_THINGS =
  /(?<!\p{L})(?:shel(?:f|ves)|fence|table|chairs?|poster|bench|oak|regal|zaun|tisch|bank|eiche)(?!\p{L})/iu;
const ASK = { about: "the circuits", question: "Which circuits does it need, with which quantities?" };

/**
 * Reads a brief sentence by sentence: which of the known circuits it asks for, and what it does not say about them.
 * Where it finds neither a circuit nor other work that it knows, it asks.
 */
export const planProject: StandIn = ({ title, brief }: PlanInput) => {
  const foreign = findOtherWork(brief);
  const elsewhere = foreign.filter((one) => !isMixed(one)).map(({ words }) => words);
  const sentences = readSentences(brief).filter((one) => !elsewhere.some((words) => one.startsWith(words)));
  const readings = readCircuits(sentences);
  const isElsewhere = foreign.length > 0 || isTold(brief) || PLAIN_THINGS.test(brief);
  return {
    summary: `${title}: ${readings.length === 1 ? "1 circuit" : `${readings.length} circuits`}.`.slice(
      0,
      1000,
    ),
    requirements: readings.flatMap(({ requirement }) => requirement ?? []).slice(0, 12),
    questions:
      readings.length === 0 && !isElsewhere
        ? [ASK]
        : readings.flatMap(({ questions }) => questions).slice(0, 12),
    not_done: [],
  };
};

function readCircuits(sentences: readonly string[]): Reading[] {
  const others = sentences.filter((one) => !isLed(one) && !isDivider(one));
  const supplies = [...new Set(others.flatMap((one) => valuesOf(one, "V")))];
  const readings: Reading[] = [];
  const add =
    (read: (place: { words: string; supplies: readonly number[]; id: string }) => Reading, kind: string) =>
    (words: string): void => {
      readings.push(read({ words, supplies, id: `${kind}-${readings.length + 1}` }));
    };
  const dividers = sentences.filter((one) => isDivider(one) && !isLed(one));
  for (const sentence of groupLeds(sentences)) add(readLed, "led")(sentence);
  for (const sentence of dividers) add(readDivider, "divider")(sentence);
  for (const sentence of sentences.filter(isLowPass)) add(readLowPass, "filter")(sentence);
  if (isBudget(sentences)) {
    const own = sentences.filter((one) => !isLed(one) && !isDivider(one));
    readings.push(readBudget(own, `power-${readings.length + 1}`));
  }
  return readings;
}

/** Sentences about the same LED together: one that states a forward voltage begins another where one was stated. */
function groupLeds(sentences: readonly string[]): string[] {
  const groups: string[] = [];
  for (const sentence of sentences.filter(isLed)) {
    const open = groups.at(-1);
    if (open === undefined || (hasForward(open) && hasForward(sentence))) groups.push(sentence);
    else groups[groups.length - 1] = `${open} ${sentence}`;
  }
  return groups;
}
