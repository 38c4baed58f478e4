import type { GuidelineSection } from "./knowledge-base.ts";

/** Words shorter than this say little of a complaint. */
const WORD_CHARACTERS_MIN = 4;
/** Characters by which forms of a word are taken for the same: `headaches` and `headache`. */
const STEM_CHARACTERS = 6;
/** A word in more than this share of the sections tells nothing apart. */
const COMMON_SHARE = 0.5;

/** Words that a section shares with a text at least where neither its title nor its heading has one of them. */
const SHARED_MIN = 2;

/** Frequent words that stand in any complaint. */
const EMPTY = new Set(
  "about after again also because been before could does done every feel from have here into just like mine more most much only other over same some such than that their them then there they this very since days weeks months years what when where which while with would your abends eine einem einen einer eines habe haben jetzt mein meine mich nicht oder sein sich sind über wenn seit tage wochen monate jahre"
    .split(" ")
    .map(stemOf),
);

function stemOf(word: string): string {
  return word.replace(/s$/, "").slice(0, STEM_CHARACTERS);
}

/** Returns the stems of the words by which a text is found. */
export function stemsOf(text: string): string[] {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words
    .filter((word) => word.length >= WORD_CHARACTERS_MIN)
    .map(stemOf)
    .filter((stem) => !EMPTY.has(stem));
}

/**
 * Returns the sections that bear on a text, the best first: those that share telling words with it. A word weighs by
 * how few sections have it, and twice in a title or heading, because that is what the section is about.
 */
export function rankSections(sections: readonly GuidelineSection[], text: string): GuidelineSection[] {
  const indexed = sections.map((section) => ({
    section,
    named: new Set(stemsOf(`${section.title} ${section.heading}`)),
    told: new Set(stemsOf(section.text)),
  }));
  const weighed = [...new Set(stemsOf(text))].map((stem) => {
    const count = indexed.filter(({ named, told }) => named.has(stem) || told.has(stem)).length;
    const isEverywhere = sections.length > 2 && count > sections.length * COMMON_SHARE;
    return { stem, weight: count === 0 || isEverywhere ? 0 : Math.log(1 + sections.length / count) };
  });
  return indexed
    .map(({ section, named, told }) => ({
      section,
      shared: weighed.filter(({ stem, weight }) => weight > 0 && told.has(stem)).length,
      isNamed: weighed.some(({ stem, weight }) => weight > 0 && named.has(stem)),
      score: weighed.reduce(
        (sum, { stem, weight }) => sum + (named.has(stem) ? 2 * weight : told.has(stem) ? weight : 0),
        0,
      ),
    }))
    .filter(({ isNamed, shared }) => isNamed || shared >= SHARED_MIN)
    .toSorted((a, b) => b.score - a.score || (a.section.section_id < b.section.section_id ? -1 : 1))
    .map(({ section }) => section);
}
