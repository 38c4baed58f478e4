import type { Turn } from "../contract-fields.ts";
import { DOUBTFUL_FLAGS } from "./doubtful-flags.ts";
import { RED_FLAGS } from "./red-flags.ts";
import type { RedFlag } from "./red-flags.ts";

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

/** Said of long ago, or of what somebody once had: no alarm. */
const PAST =
  /\b(?:years? ago|months? ago|last year|in (?:19|20)\d\d|as a child|when i was|used to|died (?:of|from|when|in)|had (?:a|an|two) (?:\w+ )?(?:heart attack|stroke|seizure|infarct)|vor (?:\w+ )?(?:jahren|monaten)|damals|frueher|als kind|hatte (?:einen|eine) (?:herzinfarkt|schlaganfall|krampfanfall)|hace (?:\w+ )?(?:anos|meses) (?:tuve|tuvo)|tuvo un (?:infarto|ictus)|de nino|il y a (?:\w+ )?(?:ans|mois)|a eu un (?:infarctus|avc)|da bambino)\b/;
const DENIED =
  /(?:^|[^\p{L}])(?:no|not|never|without|don't have|doesn't|didn't|haven't|isn't|denies|kein\w*|nicht|nie|ohne|sin|nunca|ningun\w*|pas de|pas d'|aucun\w*|sans|jamais|senza|nessun\w*)[\s']+(?:[\p{L}'-]+\s+){0,4}$/u;
const NEVER =
  /(?:^|[^\p{L}])(?:never|without|denies|nie|ohne|sin|nunca|jamais|sans)\s+(?:[\p{L}'-]+\s+){0,3}$/u;
/** Words that end the reach of a denial. */
const TURN_OF_SPEECH = /[,;:–—]|\b(?:but|aber|sondern|pero|sino|mais|ma)\b/g;

/** Finds emergency signs in a patient's turns. Pure; runs before any model is asked. */
export function findEmergencySigns(turns: readonly Turn[]): FoundSigns {
  const sentences = turns
    .filter(({ role }) => role === "patient")
    .flatMap(({ text }) => sentencesOf(text))
    .map((quote) => ({ quote, plain: plainOf(quote) }))
    .filter(({ plain }) => !PAST.test(plain));
  return { sure: signsBy(RED_FLAGS, sentences), doubtful: signsBy(DOUBTFUL_FLAGS, sentences) };
}

interface Sentence {
  readonly quote: string;
  readonly plain: string;
}

function signsBy(flags: readonly RedFlag[], sentences: readonly Sentence[]): EmergencySign[] {
  const found = new Map<string, EmergencySign>();
  for (const flag of flags) {
    // Which sentences say what is looked at once; the window only joins them.
    const said = flag.all.map((word) => sentences.map(({ plain }) => isSaid(plain, word, flag)));
    const at = sentences.findIndex((_, first) =>
      said.every((has) => has.slice(first, first + WINDOW_SENTENCES).includes(true)),
    );
    if (at === -1 || found.has(flag.sign)) continue;
    const window = sentences.slice(at, at + WINDOW_SENTENCES);
    const { unless } = flag;
    if (unless !== undefined && window.some(({ plain }) => plain.search(unless) !== -1)) continue;
    const telling = window.filter((_, index) => said.some((has) => has[at + index] === true));
    const quote = telling.map((sentence) => sentence.quote).join(" ");
    found.set(flag.sign, { sign: flag.sign, quote: quote.slice(0, QUOTE_CHARACTERS_MAX) });
  }
  return [...found.values()].slice(0, SIGNS_MAX);
}

/** Said at least once where it is not denied in the words before it. */
function isSaid(plain: string, word: RegExp, { isInability = false }: RedFlag): boolean {
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
