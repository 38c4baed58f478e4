import type { JsonSchema } from "#shared/json";
import { namesOf, unaccented } from "#shared/repair";
import { literalsOf, scalarText } from "#shared/schema";
import type { JsonValue } from "#shared/schema";

/**
 * Words of which a sentence around an answer consists when it says nothing: "Sure! Here is the corrected JSON:", "Let
 * me know if you need anything else." None of them denies, decides or qualifies; any other word is data.
 */
const FRAME = toSet(
  "a an and answer any anything are as asked based below best certainly code corrected data else extracted " +
    "final following for format further go have hello help helps here hi hope i if in information is it " +
    "json know let ll me message need of on output payload please provided re regards repaired request " +
    "requested response result results s so structured sure text thank thanks that the there therefore " +
    "these this to value ve what with would xml yaml you your",
);

/** Words that say that there is nothing. */
const NOTHING = toSet("empty n na nil no none nothing null");

const WORD =
  /\d+(?:[.,]\d+)+|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]|[[\p{L}\p{N}\p{M}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]]+|[≠¬≤≥≈±]|[<>](?=\s*\d)|\p{Extended_Pictographic}/gv;

/** Stands for a character of a value that was found: no word, and no end of a sentence. */
export const TAKEN = "\u0001";

/** A sentence ends with its mark, an entry with its line. */
const CLAUSE = /[^\n.!?;。！？；؟।…]+(?:[.!?;](?!\s|$)[^\n.!?;。！？；؟।…]*)*/gu;

/** Maximum words of a declared name. */
const NAME_WORDS_MAX = 5;

/** A sentence or line, with the words in it that are no value, no name and no frame. */
export interface Clause {
  readonly text: string;
  readonly start: number;
  readonly left: readonly string[];
  /** True where it names a field that the repair has no value for, a member of a list, or a number. */
  readonly isExact: boolean;
}

/** Words of a message that a repair accounts for: as values, as names of the contract, or as empty words. */
export class Account {
  private readonly names: ReadonlySet<string>;
  private readonly members: ReadonlySet<string>;
  private readonly values: Map<string, number>;
  private readonly given: ReadonlySet<string>;
  private readonly absent: ReadonlySet<string>;
  private readonly isGrounded: boolean;
  readonly isSilent: boolean;

  /**
   * @param repair.values - Values whose words count, each as often as it stands there.
   * @param repair.given - Their names.
   * @param repair.absent - Names under which the repair has nothing, or what the contract takes for granted.
   * @param repair.isGrounded - Whether it has any other value.
   * @param repair.isSilent - Whether the repair has such of its own accord.
   */
  constructor(repair: {
    readonly schema: JsonSchema;
    readonly values: readonly JsonValue[];
    readonly given: readonly string[];
    readonly absent: readonly string[];
    readonly isSilent: boolean;
    readonly isGrounded: boolean;
  }) {
    this.names = namesOf(repair.schema);
    this.members = new Set(
      [...literalsOf(repair.schema).listed].flatMap((one) => (one.startsWith('"') ? wordsIn(one) : [])),
    );
    this.values = counted(repair.values.flatMap((value) => wordsIn(scalarText(value))));
    this.isGrounded = repair.isGrounded;
    this.isSilent = repair.isSilent;
    this.given = new Set(repair.given.map(foldedOf));
    this.absent = new Set(repair.absent.map(foldedOf));
  }

  /** Returns the sentences and lines of a text that say more than the repair. Uses up the values that it finds. */
  clausesLeft(text: string, known: ReadonlySet<string> = new Set()): Clause[] {
    return this.left(text, (clause) =>
      this.wordsLeft(clause, this.values).filter((word) => !FRAME.has(word) && !known.has(word)),
    );
  }

  /** As `clausesLeft`, for a value: no word of it is a frame. */
  dataLeft(text: string, name: string): Clause[] {
    const values = new Map(this.values);
    // A text may hold data itself, with a frame around it.
    const frame = /[[{]/.test(text) ? FRAME : new Set<string>();
    return this.left(text, (clause) =>
      this.wordsLeft(clause, values, name).filter((word) => !frame.has(word) && !this.given.has(word)),
    );
  }

  /** Returns true for a repair without a value, of a text that does not say that there is nothing. */
  isGroundless(text: string): boolean {
    return !this.isGrounded && !wordsIn(text).some((word) => NOTHING.has(word));
  }

  private left(text: string, wordsLeft: (clause: string) => readonly string[]): Clause[] {
    return [...text.matchAll(CLAUSE)]
      .map(({ 0: clause, index }) => ({ text: clause, start: index, left: wordsLeft(clause) }))
      .map((one) => ({ ...one, isExact: one.left.some((word) => this.isExact(word)) }))
      .filter(({ left }) => left.length > 0);
  }

  private isExact(word: string): boolean {
    return /\p{N}/u.test(word) || this.names.has(word) || this.members.has(word);
  }

  private wordsLeft(clause: string, values: Map<string, number>, name?: string): string[] {
    const all = wordsIn(clause);
    const { words, names } = this.withoutNames(all);
    const left = words.filter((word) => !takeFrom(values, word));
    const about = name === undefined ? names : [foldedOf(name)];
    const saysNothing = words.some((word) => NOTHING.has(word));
    const isOfAbsent = about.length === 0 ? this.absent.size > 0 : about.some((one) => this.absent.has(one));
    const hasValue = left.length < words.length || clause.includes(TAKEN);
    // A name alone says something, unless its value stands elsewhere: "urgent".
    const open = names.filter(
      (one) => !this.given.has(one) && !hasValue && !(saysNothing && this.absent.has(one)),
    );
    return [...(isOfAbsent && !hasValue ? left.filter((word) => !NOTHING.has(word)) : left), ...open];
  }

  private withoutNames(words: readonly string[]): { words: string[]; names: string[] } {
    const rest: string[] = [];
    const names: string[] = [];
    for (let at = 0; at < words.length; at += 1) {
      let length = Math.min(NAME_WORDS_MAX, words.length - at);
      while (length > 0 && !this.names.has(words.slice(at, at + length).join(""))) length -= 1;
      if (length === 0) rest.push(words[at] ?? "");
      else names.push(words.slice(at, at + length).join(""));
      at += Math.max(0, length - 1);
    }
    return { words: rest, names };
  }
}

/** Words of a text in lower case, without accents; numbers as one word, however written. */
export function wordsIn(text: string): string[] {
  const plain = unaccented(text.replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")).toLowerCase();
  return (plain.match(WORD) ?? []).map((word) =>
    /^\d+[.,]/.test(word) ? word.replaceAll(/,(?=\d{3}(?!\d))|(?<=\.\d*)0+$|\.0*$/g, "") : word,
  );
}

/** Splits a text into its sentences and lines. */
export function clausesIn(text: string): string[] {
  return [...text.matchAll(CLAUSE)].map(([clause]) => clause).filter((clause) => wordsIn(clause).length > 0);
}

function foldedOf(name: string): string {
  return wordsIn(name).join("");
}

function takeFrom(values: Map<string, number>, word: string): boolean {
  const count = values.get(word) ?? 0;
  if (count > 0) values.set(word, count - 1);
  return count > 0;
}

function counted(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function toSet(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}
