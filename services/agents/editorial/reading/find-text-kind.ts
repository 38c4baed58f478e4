import type { NotDone } from "../other-work.ts";
import { measureStory } from "./measure-story.ts";
import { countWords, readParagraphs } from "./paragraphs.ts";
import { readQuantities } from "./read-quantities.ts";

/** Kinds of text by form, other than a story in prose. */
export type TextKind = NotDone["kind"] | "too_short";

/** Fewer words are no story that could be edited. */
const STORY_WORDS_MIN = 5;
const VERSE_CHARACTERS_MAX = 60;
const VERSE_LINES_MIN = 3;
const CODE_LINES_MIN = 2;

const CODE_LINE =
  /^\s*(?:def |class |import |from \w+ import|function |const |let |var |return\b|if ?\(|for ?\(|print\(|#include|public |\}|<\/?\w+>)|[;{}]\s*$/;
const INGREDIENTS =
  /(?<!\p{L})(?:ingredients|zutaten|ingredientes|ingrédients|ingredienti|ingrediënten)(?!\p{L})/iu;
const KITCHEN =
  /(?<!\p{L})(?:oven|bake|preheat|stir|ofen|backen|verrühren|horno|hornear|four|cuire|forno|cuocere|bakken)(?!\p{L})/iu;
const SALUTATION =
  /^\s*(?:dear (?:sir|madam|mr|mrs|ms|team)|to whom it may concern|sehr geehrte|estimad[oa]s?|madame, monsieur|monsieur,|gentil[ei]|geachte)/iu;
const CLOSING =
  /(?<!\p{L})(?:yours (?:faithfully|sincerely)|kind regards|mit freundlichen grüßen|atentamente|cordialement|distinti saluti|hoogachtend|met vriendelijke groet)(?!\p{L})/iu;
const MINUTES =
  /^\s*(?:present|attendees|minutes of|anwesend|protokoll|asistentes|présents|presenti|aanwezig)\b[^\n]{0,200}/iu;
const AGENDA =
  /(?<!\p{L})(?:items? \d|agenda|top \d|tagesordnung|any other business|orden del día|ordre du jour)(?!\p{L})/iu;
const CIRCUIT =
  /(?<!\p{L})(?:leds?|resistors?|circuits?|filter|battery|widerstand|schaltung|circuito)(?!\p{L})/iu;
const SPEECH = /["“„«»]|^\s*[—–]/m;

/** Returns the kind of a text that is no story by its form; null where it may be one. Pure. */
export function findTextKind(text: string): TextKind | null {
  if (countWords(text) < STORY_WORDS_MIN) return "too_short";
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.filter((line) => CODE_LINE.test(line)).length >= Math.max(CODE_LINES_MIN, lines.length / 2))
    return "code";
  if (INGREDIENTS.test(text) && KITCHEN.test(text)) return "recipe";
  if (SALUTATION.test(text) && CLOSING.test(text)) return "letter";
  if (MINUTES.test(text) && AGENDA.test(text)) return "minutes";
  const electric = readQuantities(text).filter(({ unit }) => unit === "V" || unit === "A");
  if (electric.length >= 2 && CIRCUIT.test(text) && !SPEECH.test(text)) return "electronics";
  return isVerse(text) ? "poem" : null;
}

/** Short lines, of which most do not end a sentence. */
function isVerse(text: string): boolean {
  const stanzas = readParagraphs(text).map((paragraph) => paragraph.split("\n"));
  const lines = stanzas.flat();
  const open = lines.filter((line) => !/[.!?…]["”’»]?\s*$/.test(line)).length;
  return (
    stanzas.some((stanza) => stanza.length >= VERSE_LINES_MIN) &&
    lines.every((line) => line.length <= VERSE_CHARACTERS_MAX) &&
    open >= lines.length / 2
  );
}

/** Returns true where a brief is told like a story: people speak in it, and what they do is past. */
export function isTold(text: string): boolean {
  const { dialogue_share: spoken, past_tense_share: past, sentences } = measureStory(text);
  return sentences >= 3 && spoken > 0 && past >= 0.7 && readQuantities(text).length === 0;
}
