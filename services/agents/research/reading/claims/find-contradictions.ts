import { termsOf } from "../words.ts";
import { compareClaim } from "./compare-claim.ts";

/** Something that a source says. */
export interface Statement {
  readonly quote: string;
  readonly source_id: string;
}

/**
 * Finds pairs of statements of different sources about the same thing with other figures. Says nothing of
 * contradictions in words alone.
 */
export function findContradictions<S extends Statement>(
  statements: readonly S[],
): { readonly one: S; readonly other: S }[] {
  return statements.flatMap((one, index) =>
    statements
      .slice(index + 1)
      .filter((other) => one.source_id !== other.source_id && contradict(one.quote, other.quote))
      .map((other) => ({ one, other })),
  );
}

/** The statement with fewer words is held against the other, which may say more besides. */
function contradict(one: string, other: string): boolean {
  const [shorter = "", longer = ""] = [one, other].toSorted((a, b) => termsOf(a).length - termsOf(b).length);
  const found = compareClaim(shorter, { text: longer, title: "" });
  return found?.stance === "against" && found.by === "figures";
}
