import { compareWithoutNouns } from "../quantities/compare-quantities.ts";
import { readQuantities } from "../quantities/quantities.ts";
import { readNames } from "./names.ts";

/**
 * Returns true where this quote says the figure of a claim of another name: "the Anna, built in 1950, and the
 * Berta, built in 1960" says nothing of 1960 for the Anna.
 */
export function isAnothers(claim: string, quote: string): boolean {
  const [ours, theirs] = [namesOf(claim), namesOf(quote)];
  if (!theirs.some((name) => ours.includes(name))) return false;
  const figures = readQuantities(quote);
  return readQuantities(claim).some((one) => {
    const same = figures.filter((other) => compareWithoutNouns(one, other) === "same");
    const hasOther = figures.some((other) => compareWithoutNouns(one, other) === "different");
    return (
      hasOther && same.length > 0 && same.every(({ from }) => !ours.includes(lastBefore(quote, theirs, from)))
    );
  });
}

/** Names without the article that a capital letter at the beginning makes part of them. */
function namesOf(text: string): string[] {
  return readNames(text).map((name) => name.replace(/^(?:The|A|An)\s+/, ""));
}

function lastBefore(text: string, names: readonly string[], end: number): string {
  const before = text.slice(0, end);
  return names.toSorted((a, b) => before.lastIndexOf(b) - before.lastIndexOf(a))[0] ?? "";
}
