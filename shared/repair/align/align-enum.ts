import { kept } from "#shared/json";
import { asSchema, isObject, scalarText } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { spend } from "../read/reader.ts";
import { writtenText } from "./align-scalar.ts";
import { fitted, unfit } from "./aligner.ts";
import type { Aligner, Alignment, Fit } from "./aligner.ts";
import { bared, SPELLINGS, wordsOf } from "./match-words.ts";
import { groupBy } from "../group-by.ts";

/** Longer texts are not searched for an enum member. */
const SENTENCE_CHARS_MAX = 600;

/** Words that deny, except or exchange what stands beside them, without accents. */
const NEGATIONS: ReadonlySet<string> = new Set(
  [
    "not no never none neither nor cannot isn wasn aren doesn don didn won without",
    "except excluding non rather instead anything everything hardly",
    "nicht kein ausser statt pas sauf sans excepto menos",
  ].flatMap((line) => line.split(" ")),
);
/** The same in two words. */
const DENIES = /\b(?:all but|other than|far from)\b|n['’]t\b/i;

/** Words and marks of somebody who is not sure. */
const DOUBTS =
  /\?\W*$|\b(?:could|might|maybe|perhaps|possibly|unsure|uncertain|unclear|vielleicht|eventuell|peut-être|quizás?|forse)\b/i;

interface Spelling {
  readonly text: string;
  readonly member: JsonValue;
  readonly isSynonym: boolean;
}

/** Index of an enum's spellings, because many texts are compared with it. */
type Spellings = ReturnType<typeof indexed>;

const indexes = new WeakMap<Fit["schema"], Spellings>();

function spellingsOf(fit: Fit, members: readonly JsonValue[]): Spellings {
  return kept(indexes, fit.schema, () => indexed(members, asSchema(fit.schema["x-synonyms"]) ?? {}));
}

function indexed(members: readonly JsonValue[], synonyms: Readonly<Record<string, unknown>>) {
  const all = members
    .filter((member) => member !== null && !isObject(member) && !Array.isArray(member))
    .flatMap((member): Spelling[] => {
      const declared = Object.hasOwn(synonyms, scalarText(member)) ? synonyms[scalarText(member)] : [];
      const words = Array.isArray(declared) ? declared.filter((word) => typeof word === "string") : [];
      const others = words.map((text) => ({ text, member, isSynonym: true }));
      return [{ text: scalarText(member), member, isSynonym: false }, ...others];
    });
  return {
    all,
    // By their form at each step of the ladder.
    byForm: SPELLINGS.map(({ form }) => groupBy(all, (one) => form(one.text))),
    // Those with most words first.
    byLength: all
      .map((spelling) => ({ spelling, words: wordsOf(spelling.text) }))
      .toSorted((a, b) => b.words.length - a.words.length),
    charsMax: all.reduce((most, one) => Math.max(most, one.text.length), SENTENCE_CHARS_MAX),
  };
}

/**
 * Finds the single enum member that a text names: spelled exactly; without punctuation, case, accents or separators;
 * by a declared synonym; or as the only member in a sentence. Two members, or a negation, are refused.
 */
export function alignEnum(aligner: Aligner, fit: Fit, members: readonly JsonValue[]): Alignment {
  const spellings = spellingsOf(fit, members);
  const text = writtenText(fit.tree) ?? "";
  spend(aligner.work, 60 + 4 * Math.min(text.length, spellings.charsMax));
  if (text.length > spellings.charsMax && bared(text).length > spellings.charsMax)
    return unfit(fit, "mismatch");
  const isAsked = text.trimEnd().endsWith("?");
  for (const [rung, { step, cost, form }] of SPELLINGS.entries()) {
    const wanted = form(text.trim());
    if (rung > 0 && isAsked) break;
    const matching = wanted === "" ? [] : (spellings.byForm[rung]?.get(wanted) ?? []);
    const distinct = new Set(matching.map((one) => one.member));
    if (distinct.size > 1) return unfit(fit, "ambiguous");
    const [found] = matching;
    if (found !== undefined)
      return fitted(
        fit,
        found.member,
        `enum_${found.isSynonym ? "synonym" : step}`,
        cost + (found.isSynonym ? 1 : 0),
      );
  }
  return alignSentence(aligner, fit, { text, spellings });
}

/** Finds members as whole words of a sentence; a longer member hides a shorter one inside it. */
function alignSentence(
  aligner: Aligner,
  fit: Fit,
  { text, spellings }: { text: string; spellings: Spellings },
): Alignment {
  if (text.length > SENTENCE_CHARS_MAX) return unfit(fit, "mismatch");
  const words = wordsOf(text);
  if (words.some((word) => NEGATIONS.has(word)) || DENIES.test(text)) return unfit(fit, "mismatch");
  // Beside a member, a number is data of its own: `approved 40 of 60`.
  if (DOUBTS.test(text) || (fit.path !== "" && /(?<![\p{L}\p{N}_])\d/u.test(text)))
    return unfit(fit, "ambiguous");
  const places = groupBy(words.keys(), (at) => words[at] ?? "");
  spend(aligner.work, (text.length + words.length * 4 + spellings.byLength.length) * 4);
  const taken = new Set<number>();
  const found = new Set<JsonValue>();
  for (const { spelling, words: wanted } of spellings.byLength) {
    const starts = places.get(wanted[0] ?? "") ?? [];
    const free = starts.filter(
      (at) => !taken.has(at) && wanted.every((word, offset) => words[at + offset] === word),
    );
    if (free.length === 0 || !isLongEnough(spelling.text, text)) continue;
    for (const at of free) for (let offset = 0; offset < wanted.length; offset += 1) taken.add(at + offset);
    found.add(spelling.member);
  }
  if (found.size > 1) return unfit(fit, "ambiguous");
  const [member] = found;
  if (member === undefined) return unfit(fit, "mismatch");
  if (spellings.all.some((one) => one.member !== member && isShortWord(one.text, text)))
    return unfit(fit, "ambiguous");
  return fitted(fit, member, "enum_in_sentence", 4);
}

/** English words that stand in any sentence. */
const SHORT_WORDS: ReadonlySet<string> = new Set(
  "a am an as at be by do he i if in is it me my no of on or so to up us we".split(" "),
);

/** In "other or en" a member that is too short to match still makes the match ambiguous. */
function isShortWord(member: string, text: string): boolean {
  if (member.length > 2) return false;
  const word = member.toLowerCase();
  return text
    .split(/[^\p{L}\p{N}]+/u)
    .some((one) => one === member || (one.toLowerCase() === word && !SHORT_WORDS.has(word)));
}

/** Short members such as "A" and "no" occur in any sentence, so they must stand exactly at the start or end. */
function isLongEnough(member: string, text: string): boolean {
  if (member.length > 2) return true;
  const plain = text.trim().replace(/^[*_"'`(]+/, "");
  if (plain.startsWith(member) && /^[*_"'`)]*[.:)\-–—,]/.test(plain.slice(member.length))) return true;
  const end = bared(text);
  return (
    end.endsWith(member) &&
    /(?:\b(?:is|option|answer|choice)\s*:?|[:=])\s*[*_"'`(]*$/i.test(end.slice(0, end.length - member.length))
  );
}
