import { NAME_CHARACTERS_MAX } from "../contract-fields.ts";
import type { StoryMeasures } from "../contract-fields.ts";
import { countWords, readParagraphs, readSentences, readSpeech } from "./paragraphs.ts";

const SCENE_BREAK = /^(?:\*\s*\*\s*\*|#{1,3}|-{3,}|⁂|~{3,})$/;
const FIRST_PERSON = /\b(?:I|me|my|mine|myself|we|us|our|ours)\b/g;
const THIRD_PERSON = /\b(?:he|him|his|she|her|hers|they|them|their|theirs)\b/gi;
const PAST = /\b(?:was|were|had|did|said|went|came|saw|knew|thought|took|felt|\w{3,}ed)\b/gi;
const PRESENT = /\b(?:is|are|am|has|have|does|do|says|goes|comes|sees|knows|thinks|takes|feels)\b/gi;
const NAME = /(?<=[\p{Ll}\p{N},;:—–-]["”’]?\s)\p{Lu}\p{Ll}{2,}\b/gu;
/** Capitalised in the middle of a sentence without being anybody's name. */
const NO_NAMES = new Set(
  "Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August September October November December English German French God Mister Missus Doctor The And But".split(
    " ",
  ),
);
const NAMES_MAX = 12;

/** Counts what can be counted in a story. Pure; what it counts as past or present goes by frequent words. */
export function measureStory(text: string): StoryMeasures {
  const paragraphs = readParagraphs(text);
  const told = paragraphs.filter((one) => !SCENE_BREAK.test(one));
  const sentences = told.flatMap(readSentences);
  const words = countWords(told.join(" "));
  const narration = told.join("\n").replaceAll(/[“"][^”"\n]{1,2000}[”"]/g, " ");
  const spoken = readSpeech(told.join("\n")).reduce((sum, said) => sum + countWords(said), 0);
  return {
    words,
    sentences: sentences.length,
    paragraphs: paragraphs.length,
    scenes: paragraphs.length - told.length + 1,
    words_per_sentence: mean(sentences.map(countWords)),
    words_per_sentence_by_third: byThird(sentences.map(countWords)),
    dialogue_share: share(spoken, words),
    first_person_share: shareOf(narration, FIRST_PERSON, THIRD_PERSON),
    past_tense_share: shareOf(narration, PAST, PRESENT),
    names: readNames(paragraphs),
  };
}

function mean(numbers: readonly number[]): number {
  if (numbers.length === 0) return 0;
  return round(numbers.reduce((sum, one) => sum + one, 0) / numbers.length);
}

function byThird(numbers: readonly number[]): number[] {
  const size = numbers.length / 3;
  return [0, 1, 2].map((third) =>
    mean(numbers.slice(Math.round(third * size), Math.round((third + 1) * size))),
  );
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : round(part / whole);
}

function shareOf(text: string, one: RegExp, other: RegExp): number {
  const [a, b] = [text.match(one)?.length ?? 0, text.match(other)?.length ?? 0];
  return share(a, a + b);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function readNames(paragraphs: readonly string[]): StoryMeasures["names"] {
  const found = new Map<string, { count: number; first: number }>();
  for (const [index, paragraph] of paragraphs.entries()) {
    for (const [name] of paragraph.matchAll(NAME)) {
      if (NO_NAMES.has(name) || name.length > NAME_CHARACTERS_MAX) continue;
      const known = found.get(name) ?? { count: 0, first: index + 1 };
      found.set(name, { ...known, count: known.count + 1 });
    }
  }
  return [...found]
    .filter(([, { count }]) => count > 1)
    .toSorted(([a, one], [b, other]) => other.count - one.count || (a < b ? -1 : 1))
    .slice(0, NAMES_MAX)
    .map(([name, { count, first }]) => ({ name, count, first_paragraph: first }));
}
