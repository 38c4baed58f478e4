import type { ContractOutput } from "#shared/contract";
import { findOtherWork, isMixed, mergeNotDone, shorten } from "../reading/find-other-work.ts";
import { isTold } from "../reading/find-text-kind.ts";
import { readSentences } from "../reading/paragraphs.ts";
import { readQuantities } from "../reading/read-quantities.ts";
import type { NotDone, ProjectNotDone } from "../other-work.ts";
import type { Requirement } from "../requirements.ts";
import type { PlanAnswer } from "./answer.ts";
import { findChains, findImpossible, isDangerous } from "./find-impossible.ts";
import { findUngrounded } from "./find-ungrounded.ts";
import { findUncovered } from "./find-uncovered.ts";
import { findUnplaced } from "./find-unplaced.ts";
import { isSameQuantity, statedQuantities } from "./stated-quantities.ts";

type Plan = ContractOutput<typeof PlanAnswer>;

/** Places of a brief's parts. */
export interface PlacedBrief {
  readonly requirements: Requirement[];
  readonly questions: Plan["questions"];
  readonly not_done: ProjectNotDone[];
}

const QUESTIONS_MAX = 12;
const ABOUT_CHARACTERS_MAX = 80;
const CIRCUIT_WORDS =
  /(?<!\p{L})(?:leds?|resistors?|circuits?|batter(?:y|ies)|low-?pass|voltage|divider|widerst\p{L}+|schaltung\p{L}*|akku\p{L}*|bater[íi]a|circuito|pile|batterie)(?!\p{L})/iu;

/**
 * Holds a plan against its brief, so that nothing of it vanishes whatever a model answered: every quantity of a circuit
 * is in a requirement or asked about, what is something else is named, and what no parts can do is asked back.
 */
export function placeBrief(plan: Plan, brief: string): PlacedBrief {
  const requirements = plan.requirements.filter((one) => !isDangerous(one));
  const byRule: NotDone[] = [
    ...(isTold(brief) ? [{ kind: "story" as const, words: shorten(brief) }] : []),
    ...findOtherWork(brief).filter(({ words }) => !isLoad(words, requirements)),
    ...plan.requirements
      .filter(isDangerous)
      .map((one): NotDone => ({ kind: "mains", words: shorten(sentenceOf(one, brief)) })),
  ];
  const not_done = mergeNotDone(byRule, plan.not_done, brief);
  const questions = [
    ...plan.questions,
    ...requirements.flatMap((one) => askAbout(one, brief)),
    ...findChains(brief, requirements.filter(({ kind }) => kind === "led").length).map((sentence) => ({
      about: sentence.slice(0, ABOUT_CHARACTERS_MAX),
      question: `Has each LED a resistor and a supply of its own, or do they share one: "${shorten(sentence)}"?`,
    })),
    ...findUnplaced(
      brief,
      plan.requirements,
      not_done.filter((one) => !isMixed(one)).map(({ words }) => words),
    ).map((sentence) => ({
      about: sentence.slice(0, ABOUT_CHARACTERS_MAX),
      question: `Which circuit is this for, and does it go with the rest: "${shorten(sentence)}"?`,
    })),
  ];
  const isOpen = requirements.length === 0 && questions.length === 0;
  const hasOther = not_done.some(({ kind }) => kind !== "orders_to_a_machine");
  if (isOpen && !hasOther && (not_done.length > 0 || CIRCUIT_WORDS.test(brief)))
    questions.push({ about: "the project", question: "Which circuit is to be designed, with which values?" });
  const placed = { requirements, questions: questions.slice(0, QUESTIONS_MAX), not_done };
  return { ...placed, not_done: [...not_done, ...findUncovered(brief, placed)] };
}

function askAbout(one: Requirement, brief: string): Plan["questions"] {
  const impossible = findImpossible(one);
  return [
    ...findUngrounded(one, brief).map((field) => ({
      about: one.id,
      question: `The brief does not say which ${field.replaceAll("_", " ")} ${one.id} has. Which is it?`,
    })),
    ...(impossible === null
      ? []
      : [{ about: one.id, question: `${one.id} is impossible: ${impossible}. What is to change?` }]),
  ];
}

/** Returns true where a sentence tells what a part draws and a power budget counts it: no design of it is asked for. */
function isLoad(sentence: string, requirements: readonly Requirement[]): boolean {
  const counted = requirements.filter(({ kind }) => kind === "power_budget").flatMap(statedQuantities);
  const told = readQuantities(sentence);
  return (
    told.some(({ unit }) => unit === "A") &&
    told.every((one) => counted.some((load) => isSameQuantity(load, one)))
  );
}

/** The sentence that holds the highest voltage of a requirement. */
function sentenceOf(requirement: Requirement, brief: string): string {
  const volts = statedQuantities(requirement).filter(({ unit }) => unit === "V");
  const [highest] = volts.toSorted((a, b) => b.value - a.value);
  const sentence = readSentences(brief).find((one) =>
    readQuantities(one).some((read) => highest !== undefined && isSameQuantity(read, highest)),
  );
  return sentence ?? brief;
}
