import { compareQuantities } from "../quantities/compare-quantities.ts";
import { readQuantities } from "../quantities/quantities.ts";
import type { Quantity } from "../quantities/quantities.ts";
import { termsOf } from "../words.ts";
import { aboutOf, isAsserted, isSameFrame, isSupposed } from "./compare-claim.ts";
import { readNames } from "./names.ts";
import { findNegation, readClauses } from "./negation.ts";

/** A sentence of a source. */
export interface Sourced {
  readonly quote: string;
  readonly source_id: string;
  /** Often names what its sentences call "it". Default: unknown. */
  readonly title?: string;
}

interface Clause {
  readonly text: string;
  readonly quantities: readonly Quantity[];
  /** Roots of its words, figures apart. */
  readonly about: ReadonlySet<string>;
  readonly title: ReadonlySet<string>;
}

/** Words that two clauses and their titles share at least, and that clauses without a figure share by themselves. */
const SHARED_MIN = 2;

/** A name between commas says who is meant, and would tear a clause apart. */
const APPOSITION = /,\s(?:\p{Lu}[\p{L}'’.-]*\s?){1,4},/gu;

/**
 * Returns whether two sentences say the same of the same thing with another figure, day, year or name, or one denies
 * what the other says. Strict: a word that one clause has, the other one or the titles have too.
 *
 * @param question - What was asked. What it names in the one sentence or its title, the other one has to name as well.
 */
export function saysOtherwise(one: Sourced, other: Sourced, question = ""): boolean {
  if (isSupposed(one.quote) || isSupposed(other.quote)) return false;
  const [ours, theirs] = [wordsOf(one), wordsOf(other)];
  const asked = new Set(termsOf(question));
  if (asked.intersection(ours).symmetricDifference(asked.intersection(theirs)).size > 0) return false;
  const others = clausesOf(other);
  return clausesOf(one).some((clause) => others.some((against) => contradicts(clause, against)));
}

function wordsOf({ quote, title = "" }: Sourced): Set<string> {
  return new Set(termsOf(`${quote} ${title}`));
}

function clausesOf({ quote, title = "" }: Sourced): Clause[] {
  const whole = quote.replaceAll(APPOSITION, " ");
  const all = readQuantities(whole);
  return [...new Set([whole, ...readClauses(whole)])].map((text) => {
    // Read of the whole, so that "of that year" has its year.
    const start = whole.indexOf(text);
    const quantities = all
      .filter(({ from, to }) => from >= start && to <= start + text.length)
      .map((one) => ({ ...one, from: one.from - start, to: one.to - start }));
    return { text, quantities, about: aboutOf(text, quantities), title: new Set(termsOf(title)) };
  });
}

function contradicts(one: Clause, other: Clause): boolean {
  if (one.about.size === 0 || other.about.size === 0) return false;
  if (differByName(one, other)) return true;
  const isSameThing =
    one.about.isSubsetOf(other.about.union(other.title)) &&
    other.about.isSubsetOf(one.about.union(one.title)) &&
    !one.about.isDisjointFrom(other.about) &&
    one.about.union(one.title).intersection(other.about.union(other.title)).size >= SHARED_MIN;
  if (!isSameThing) return false;
  const isDenied = (findNegation(one.text) === null) !== (findNegation(other.text) === null);
  if (one.quantities.length === 0 && other.quantities.length === 0)
    return isDenied && one.about.intersection(other.about).size >= SHARED_MIN;
  return !isDenied && differByFigure(one.quantities, other.quantities);
}

function differByFigure(ours: readonly Quantity[], theirs: readonly Quantity[]): boolean {
  const [asserted, against] = [ours, theirs].map((all) => all.filter((each) => isAsserted(each, all)));
  if (asserted === undefined || against === undefined) return false;
  if (!isSameFrame(ours, asserted, theirs)) return false;
  return asserted.some((each) => {
    const compared = against.map((candidate) => compareQuantities(each, candidate));
    return compared.includes("different") && !compared.includes("same");
  });
}

/** Whether all but one name behind the first words is the same. */
function differByName(one: Clause, other: Clause): boolean {
  if (one.quantities.length > 0 || other.quantities.length > 0) return false;
  if ((findNegation(one.text) ?? findNegation(other.text)) !== null) return false;
  const [ours, theirs] = [ownName(one, other), ownName(other, one)];
  if (ours === null || theirs === null) return false;
  const [rest, others] = [withoutWords(one.about, ours), withoutWords(other.about, theirs)];
  return rest.size >= SHARED_MIN && rest.symmetricDifference(others).size === 0;
}

/** The one name that the other clause does not have; null where there is none, or several, or it comes first. */
function ownName(one: Clause, other: Clause): string | null {
  const against = other.text.toLowerCase();
  const own = readNames(one.text).filter((name) => !against.includes(name.toLowerCase()));
  const [name] = own;
  return own.length === 1 && name !== undefined && !one.text.startsWith(name) ? name : null;
}

function withoutWords(about: ReadonlySet<string>, name: string): Set<string> {
  return about.difference(new Set(termsOf(name)));
}
