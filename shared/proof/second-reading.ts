import { stepsOf } from "#shared/json";
import { isSameJson, leavesOf, valueAt } from "#shared/schema";
import type { JsonValue, Leaf } from "#shared/schema";
import { clausesIn, wordsIn } from "./account.ts";
import type { Clause } from "./account.ts";

/** The words of the message or its sources that a model takes a value from, verbatim. */
export interface Quote {
  /** JSON pointer of the value, or of an object or list that all of it is about; null for words that say nothing. */
  readonly path: string | null;
  readonly text: string;
}

/** Reading of a text by a model. */
export interface ModelReading {
  readonly value: JsonValue;
  readonly quotes: readonly Quote[];
}

/** A model's repair beside another reading of the same text, whose reader was not shown the first. */
export class TwoReadings {
  private readonly all: readonly ModelReading[];
  private readonly texts: readonly string[];

  /** @param texts - The message's text, then its sources'. @param second - Undefined before it was asked for. */
  constructor(first: ModelReading, second: ModelReading | undefined, texts: readonly string[]) {
    this.all = second === undefined ? [first] : [first, second];
    this.texts = texts.map(plain);
  }

  /** True when both give the same value at a leaf, and the first has its source: a quotation, or the value itself. */
  agreeOn(leaf: Leaf): boolean {
    return (
      this.isSecond &&
      this.all.every(({ value }) => isSameJson(valueAt(value, leaf.steps) ?? null, leaf.value))
    );
  }

  /** The quotations of a value, nearest first. */
  pieces(leaf: Leaf): readonly string[] {
    const own = this.sound(this.all[0]);
    const paths = pathsTo(leaf.path).toReversed();
    return (leaf.path === "" ? paths : paths.slice(0, -1))
      .flatMap((path) => own.filter((one) => one.path === path))
      .map(({ text }) => text);
  }

  /** Returns true when both take a value of `givers` from a clause with no data left; `mayFrame`: it says nothing. */
  account(
    { text, isExact }: Clause,
    on: { readonly givers: ReadonlySet<string>; readonly mayFrame: boolean },
  ): boolean {
    const clause = plain(text);
    const isTaken = (reading: ModelReading): boolean => {
      const quotes = this.sound(reading).filter(
        ({ path }, at, all) => path === null || all.findIndex((one) => one.path === path) === at,
      );
      return quotes.some(
        (quote) =>
          (quote.path === null
            ? on.mayFrame
            : on.givers.has(quote.path) && this.holdsValue(quote, reading)) &&
          clause.includes(plain(quote.text)),
      );
    };
    return this.isSecond && !isExact && this.all.every(isTaken);
  }

  /** A value that stands in the message is quoted with its own words, not with those of another sentence. */
  private holdsValue({ path, text }: Quote, { value }: ModelReading): boolean {
    const own = valueAt(value, stepsOf(path ?? ""));
    const words = own === undefined || typeof own === "object" ? "" : plain(String(own));
    return text.includes(words) || this.texts[0]?.includes(words) !== true;
  }

  /** The leaves that only the second has. */
  missedBy(first: JsonValue): Leaf[] {
    const second = this.all[1];
    return second === undefined
      ? []
      : leavesOf(second.value).filter(({ steps }) => valueAt(first, steps) === undefined);
  }

  private get isSecond(): boolean {
    return this.all.length > 1;
  }

  /** A quotation counts if it stands in a text and is no longer than a sentence: a wider one would account for all. */
  private sound(reading: ModelReading | undefined): readonly Quote[] {
    return (reading?.quotes ?? []).filter(
      ({ text }) =>
        wordsIn(text).length > 0 &&
        clausesIn(text).length === 1 &&
        this.texts.some((one) => one.includes(plain(text))),
    );
  }
}

/** Without the marks and breaks around it, which no reader copies with care. */
function plain(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(/^[\s\p{P}]+|[\s\p{P}]+$/gu, "");
}

/** Every path above a place, from the root on, and its own. */
export function pathsTo(path: string): string[] {
  const parts = path.split("/");
  return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
}
