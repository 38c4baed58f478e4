import list from "./red-flags.json" with { type: "json" };
import type { Turn } from "../contracts.ts";

/** A sign and the words in which a patient said it. */
export interface EmergencySign {
  readonly sign: string;
  readonly quote: string;
}

/** Signs found by rule. `doubtful`: perhaps none, which a person has to say. */
export interface FoundSigns {
  readonly sure: readonly EmergencySign[];
  readonly doubtful: readonly EmergencySign[];
}

/** Sentences within which the words of one sign stand: people say what they feel piece by piece. */
const WINDOW_SENTENCES = 3;
const QUOTE_CHARACTERS_MAX = 400;
const SIGNS_MAX = 12;

const PAST = new RegExp(list.past);
const DENIED = new RegExp(list.denied, "u");
const NEVER = new RegExp(list.never, "u");
/** Words that end the reach of a denial. */
const TURN_OF_SPEECH = new RegExp(list.turn, "g");

interface RedFlag {
  readonly sign: string;
  /** Words of each have to stand within three sentences. */
  readonly all: readonly RegExp[];
  /** Not being able to is the sign itself, so that only "never" and "without" deny it. */
  readonly isInability: boolean;
  /** Perhaps: a person reads what was written before anything else happens. */
  readonly isDoubtful: boolean;
  /** Words beside which it is no sign: said of what comes and goes. */
  readonly unless: RegExp | null;
}

const LISTS = new Map(Object.entries(list.lists));

/** Wide on purpose: an alarm too many costs a person's look. */
const FLAGS = list.flags.map((flag): RedFlag => {
  const { sign, all, isInability = false, doubtful = false, unless } = flag;
  const either = unless === undefined ? null : patternOf(unless);
  return { sign, all: all.map(patternOf), isInability, isDoubtful: doubtful, unless: either };
});

/** Matches the words of a list as whole words in text as `plainOf` leaves it. */
function patternOf(words: string): RegExp {
  const alternatives = words
    .split(", ")
    .flatMap((word) => (word.startsWith("@") ? (LISTS.get(word.slice(1)) ?? "").split(", ") : word))
    .map((word) =>
      word
        .split("*")
        .map((part) => RegExp.escape(part))
        .join(String.raw`[\p{L}\d]*`)
        .replaceAll("\\x20", String.raw`\s+`),
    );
  return new RegExp(String.raw`(?<![\p{L}\d])(?:${alternatives.join("|")})(?![\p{L}\d])`, "gu");
}

/** Finds emergency signs in a patient's turns. Pure; runs before any model is asked. */
export function findEmergencySigns(turns: readonly Turn[]): FoundSigns {
  const sentences = turns
    .filter(({ role }) => role === "patient")
    .flatMap(({ text }) => sentencesOf(text))
    .map((quote) => ({ quote, plain: plainOf(quote) }))
    .filter(({ plain }) => !PAST.test(plain));
  const signsOf = (isDoubtful: boolean): EmergencySign[] =>
    signsBy(
      FLAGS.filter((flag) => flag.isDoubtful === isDoubtful),
      sentences,
    );
  return { sure: signsOf(false), doubtful: signsOf(true) };
}

interface Sentence {
  readonly quote: string;
  readonly plain: string;
}

function signsBy(flags: readonly RedFlag[], sentences: readonly Sentence[]): EmergencySign[] {
  const found = new Map<string, EmergencySign>();
  for (const flag of flags) {
    // Each sentence is looked at once; the window only joins what they say.
    const said = flag.all.map((word) => sentences.map(({ plain }) => isSaid(plain, word, flag)));
    const at = sentences.findIndex((_, first) =>
      said.every((has) => has.slice(first, first + WINDOW_SENTENCES).includes(true)),
    );
    if (at === -1 || found.has(flag.sign)) continue;
    const window = sentences.slice(at, at + WINDOW_SENTENCES);
    const { unless } = flag;
    if (unless !== null && window.some(({ plain }) => plain.search(unless) !== -1)) continue;
    const telling = window.filter((_, index) => said.some((has) => has[at + index] === true));
    const quote = telling.map((sentence) => sentence.quote).join(" ");
    found.set(flag.sign, { sign: flag.sign, quote: quote.slice(0, QUOTE_CHARACTERS_MAX) });
  }
  return [...found.values()].slice(0, SIGNS_MAX);
}

/** Said at least once where it is not denied in the words before it. */
function isSaid(plain: string, word: RegExp, { isInability }: RedFlag): boolean {
  const denied = isInability ? NEVER : DENIED;
  return [...plain.matchAll(word)].some(({ index }) => {
    const before = plain.slice(0, index);
    const clause = [...before.matchAll(TURN_OF_SPEECH)].at(-1);
    return !denied.test(clause === undefined ? before : before.slice(clause.index + clause[0].length));
  });
}

/** Lower case without accents; umlauts as two letters, as many write them anyway. */
function plainOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[’‘`´]/g, "'")
    .replaceAll("ä", "ae")
    .replaceAll("ö", "oe")
    .replaceAll("ü", "ue")
    .replaceAll("ß", "ss")
    .replaceAll("œ", "oe")
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "");
}

function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?…。！？\n])\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}
