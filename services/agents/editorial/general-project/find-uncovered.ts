import type { ProjectNotDone } from "../other-work.ts";
import { countWords, flatten, readSentences } from "../reading/paragraphs.ts";
import { readQuantities } from "../reading/read-quantities.ts";
import type { Requirement } from "../requirements.ts";
import { isSameQuantity, statedQuantities } from "./stated-quantities.ts";

/** A brief's circuits, questions and other work, before the clauses that none of them covers are added. */
interface Placed {
  readonly requirements: readonly Requirement[];
  readonly questions: readonly { readonly about: string; readonly question: string }[];
  readonly not_done: readonly ProjectNotDone[];
}

const CLAUSES =
  /(?<=[,;:–—])\s+|(?<=\S)\s+(?=(?:and|und|y|et|e|en|i|oraz|och|og|also|außerdem|además|aussi|inoltre)\s(?:\S+\s+){3})/u;
/** A shorter clause only adds to the rest of its sentence. */
const CLAUSE_WORDS_MIN = 3;
/** So many characters, of two code units at most, fit into one entry. */
const PIECE = /.{1,150}/gsu;
const PIECES_MAX = 40;
const COURTESY =
  /^(?:hi|hello|hey|dear|thanks?|thx|thank you|please|hallo|danke|bitte|hola|gracias|bonjour|merci|ciao|grazie|bedankt)(?!\p{L})/iu;
const COURTESY_WORDS_MAX = 4;
const CIRCUIT: Readonly<Record<Requirement["kind"], RegExp>> = {
  led: /(?<!\p{L})leds?(?!\p{L})|diod/iu,
  divider: /divider|converter|wandler|teiler|divisor/iu,
  low_pass: /low[- ]?pass|filter|tiefpass|passe-bas|paso bajo|passa-?basso|laagdoorlaat/iu,
  power_budget: /batter|akku|bater[íi]|accu/iu,
};
/** Words of somebody who wants to be told something: naming a circuit does not answer it. */
const ASKS =
  /\?|(?<!\p{L})(?:tell|explain|whether|why|advise|recommend|sag|erklär\p{L}*|ob|warum|dime|explica|por qué|dis-moi|explique[zr]?|pourquoi|dimmi|spiega|perché|vertel|waarom)(?!\p{L})/iu;

/** Returns the clauses of a brief that no requirement, no question and no other work covers, in its words. Pure. */
export function findUncovered(brief: string, placed: Placed): ProjectNotDone[] {
  const stated = placed.requirements.flatMap(statedQuantities);
  const isCovered = (clause: string): boolean =>
    readQuantities(clause).some((read) => stated.some((one) => isSameQuantity(one, read))) ||
    (!ASKS.test(clause) && placed.requirements.some(({ kind }) => CIRCUIT[kind].test(clause))) ||
    placed.not_done.some(({ words }) => covers(words, clause)) ||
    placed.questions.some(({ about, question }) => covers(question, clause) || covers(about, clause));
  const left = brief
    .split(/\n+/)
    .flatMap(readSentences)
    .filter((sentence) => !isCourtesy(sentence))
    .flatMap((sentence) => leftOf(sentence, isCovered));
  const pieces = left.flatMap((words) => words.match(PIECE) ?? []);
  const listed = pieces.length > PIECES_MAX ? (left.join(" ").match(PIECE) ?? []) : pieces;
  return listed
    .map((words) => words.trim())
    .filter((words) => words !== "")
    .map((words) => ({ kind: "not_placed", words }));
}

function leftOf(sentence: string, isCovered: (clause: string) => boolean): string[] {
  if (!/[\p{L}\p{N}]/u.test(sentence)) return [];
  const clauses = sentence.split(CLAUSES);
  const open = clauses.filter((clause) => !isCovered(clause));
  if (open.length === clauses.length) return isCovered(sentence) ? [] : [sentence];
  return open.filter((clause) => countWords(clause) >= CLAUSE_WORDS_MIN);
}

/** Returns true where some words hold a clause, or at least half of its words. */
function covers(words: string, clause: string): boolean {
  const [said, wanted] = [flatten(words).toLowerCase(), flatten(clause).toLowerCase()];
  if (said.includes(wanted)) return true;
  return said !== "" && wanted.includes(said) && countWords(said) * 2 >= countWords(wanted);
}

function isCourtesy(sentence: string): boolean {
  return COURTESY.test(sentence) && countWords(sentence) <= COURTESY_WORDS_MAX;
}
