import { toShare } from "../statistics/share.ts";
import type { Share } from "../statistics/share.ts";

/** Two ways to say of the same results whether they are right. */
export interface Opinions {
  readonly label: "right" | "wrong";
  readonly judge: "right" | "wrong";
}

/** How often the judge and the labels say the same; `right` counts the results on which they do. */
export interface Agreement extends Share {
  /** Counts by label, then by verdict. */
  readonly table: Readonly<Record<"right" | "wrong", Readonly<Record<"right" | "wrong", number>>>>;
}

/** Pure. */
export function measureAgreement(opinions: readonly Opinions[]): Agreement {
  const count = (label: Opinions["label"], judge: Opinions["judge"]): number =>
    opinions.filter((one) => one.label === label && one.judge === judge).length;
  const table = {
    right: { right: count("right", "right"), wrong: count("right", "wrong") },
    wrong: { right: count("wrong", "right"), wrong: count("wrong", "wrong") },
  };
  const agreeing = table.right.right + table.wrong.wrong;
  return { ...toShare(agreeing, opinions.length), table };
}
