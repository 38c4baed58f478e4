import type { Turn } from "../contract-fields.ts";

/** A sign and the words in which a patient said it. */
export interface EmergencySign {
  readonly sign: string;
  readonly quote: string;
}

/** Each is all of its patterns in one sentence. Wide on purpose: an alarm too many costs a person's look. */
const SIGNS: readonly { readonly sign: string; readonly words: readonly RegExp[] }[] = [
  {
    sign: "chest_pain_now",
    words: [
      /\b(?:chest|heart|brust|herz)\w*/i,
      /\b(?:pain|pressure|tight\w*|crush\w*|hurts?|ache|squeez\w*|burning|schmerz\w*|druck|enge|weh)\b/i,
      /\b(?:right now|now|at rest|won'?t (?:stop|go away)|spread\w*|radiat\w*|jaw|left arm|down my arm|sweat\w*|cold sweat|since (?:this morning|an hour|\d+ minutes)|for (?:\d+|ten|twenty|thirty) minutes|jetzt|gerade|in ruhe|ausstrahl\w*|linken arm|kiefer|schweiß\w*|seit (?:heute|\d+ minuten|einer stunde))\b/i,
    ],
  },
  {
    sign: "stroke",
    words: [
      /\b(?:face|mouth|one side|left side|right side|arm|leg|speech|speak|words|gesicht|mundwinkel|arm|bein|seite|sprechen|sprache)\b/i,
      /\b(?:droop\w*|hang\w*|numb|paraly[sz]\w*|cannot move|can'?t move|can'?t lift|slurred|slurring|suddenly|can'?t speak|cannot speak|gelähmt|taub|verwaschen\w*|plötzlich|hängt)\b/i,
      /\b(?:suddenly|sudden|now|right now|since|today|minutes?|an hour|hangs?|droop\w*|slurred|slurring|can'?t|cannot|plötzlich|jetzt|seit|heute|hängt|gelähmt)\b/i,
    ],
  },
  {
    sign: "cannot_breathe",
    words: [
      /\b(?:can'?t (?:breathe|get (?:any )?air)|cannot breathe|struggling to breathe|gasping|choking|lips (?:are |have gone |turned )*blue|keine luft|ersticke|blaue lippen)\b/i,
    ],
  },
  {
    sign: "unconscious",
    words: [
      /\b(?:unconscious|unresponsive|won'?t wake up|not waking up|passed out|collapsed|bewusstlos|nicht ansprechbar|umgekippt)\b/i,
    ],
  },
  {
    sign: "heavy_bleeding",
    words: [
      /\b(?:(?:bleeding|blood) (?:heavily|a lot|that won'?t stop|everywhere)|won'?t stop bleeding|(?:coughing|vomiting|throwing)(?: up)? blood|blutet stark|hört nicht auf zu bluten|blut (?:gehustet|erbrochen))\b/i,
    ],
  },
  {
    sign: "self_harm",
    words: [
      /\b(?:kill(?:ing)? myself|suicid\w*|end(?:ing)? (?:my life|it all)|don'?t want to (?:live|be alive)|hurt(?:ing)? myself|better off without me|no reason to (?:live|go on)|umbringen|das leben nehmen|nicht mehr leben|suizid\w*)\b/i,
    ],
  },
  {
    sign: "sudden_headache",
    words: [
      /\b(?:worst headache (?:of my life|ever)|thunderclap|(?:sudden|suddenly|exploding)\b.{0,40}\bheadache|headache\b.{0,40}\b(?:suddenly|like a blow)|vernichtungskopfschmerz|plötzlich\w*.{0,40}kopfschmerz\w*)/i,
    ],
  },
  {
    sign: "seizure",
    words: [
      /\b(?:seizure|convuls\w*|fitting|krampfanfall|krampft)\b/i,
      /\b(?:now|right now|lasting|still|minutes?|won'?t stop|first|just had|is having|jetzt|gerade|minuten|immer noch)\b/i,
    ],
  },
  {
    sign: "allergic_shock",
    words: [
      /\b(?:throat|tongue|face|hals|zunge|gesicht)\b/i,
      /\b(?:closing|swelling|swollen|schwillt|geschwollen|zugeschwollen)\b/i,
    ],
  },
  {
    sign: "overdose",
    words: [
      /\b(?:overdos\w*|(?:took|taken|swallowed) (?:too many|a whole|all (?:of )?(?:my|the)|the whole)\b.{0,30}|überdosis|zu viele tabletten|alle tabletten)/i,
    ],
  },
];

/** Said of others or of long ago: no alarm. */
const ELSEWHERE =
  /\b(?:my (?:father|mother|dad|mum|mom|brother|sister|uncle|aunt|grand\w+|neighbou?r|colleague)|years? ago|months? ago|last year|in (?:19|20)\d\d|as a child|when I was|used to|mein(?:e)? (?:onkel|tante|oma|opa)|vor (?:\w+ )?(?:jahren|monaten)|damals|früher)\b/i;
/** Signs that count for other persons, too. */
const ANYBODY: ReadonlySet<string> = new Set([
  "unconscious",
  "cannot_breathe",
  "heavy_bleeding",
  "seizure",
  "stroke",
  "allergic_shock",
  "overdose",
]);
const LONG_AGO =
  /\b(?:years? ago|months? ago|last year|in (?:19|20)\d\d|as a child|when I was|used to|died|vor (?:\w+ )?(?:jahren|monaten)|damals|früher)\b/i;
const DENIED =
  /\b(?:no|not|never|without|don'?t have|doesn'?t|didn'?t|haven'?t|isn'?t|denies|kein\w*|nicht|nie|ohne)\s+(?:[\p{L}']+\s+){0,3}$/iu;
/** Where not being able to is the sign, only this denies it. */
const ABSENT = /\b(?:no|never|without|denies|kein\w*|nie|ohne)\s+(?:[\p{L}']+\s+){0,2}$/iu;
const INABILITY: ReadonlySet<string> = new Set(["stroke", "cannot_breathe"]);
const QUOTE_CHARACTERS_MAX = 400;
const SIGNS_MAX = 12;

/** Finds emergency signs in a patient's turns. Pure; runs before any model is asked. */
export function findEmergencySigns(turns: readonly Turn[]): EmergencySign[] {
  return turns
    .filter(({ role }) => role === "patient")
    .flatMap(({ text }) => sentencesOf(text).flatMap((sentence) => signsIn(sentence)))
    .slice(0, SIGNS_MAX);
}

function signsIn(sentence: string): EmergencySign[] {
  const plain = sentence.replaceAll("’", "'");
  const found = SIGNS.filter(({ sign, words }) => {
    const denied = INABILITY.has(sign) ? ABSENT : DENIED;
    const elsewhere = ANYBODY.has(sign) ? LONG_AGO : ELSEWHERE;
    return words.every((word) => isSaid(plain, { word, denied })) && !elsewhere.test(plain);
  });
  return found.map(({ sign }) => ({ sign, quote: sentence.slice(0, QUOTE_CHARACTERS_MAX) }));
}

/** Said at least once where it is not denied in the words before it. */
function isSaid(
  sentence: string,
  { word, denied }: { readonly word: RegExp; readonly denied: RegExp },
): boolean {
  return [...sentence.matchAll(new RegExp(word, "gi"))].some(
    ({ index }) => !denied.test(sentence.slice(0, index)),
  );
}

function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?\n])\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}
