import { toShare } from "../statistics/share.ts";
import type { Share } from "../statistics/share.ts";

/** Two ways to say of the same results whether they are right. */
export interface Opinions {
  readonly label: "right" | "wrong";
  readonly judge: "right" | "wrong";
}

/** How often the judge and the labels say the same; `right` counts the results on which they do. */
export interface Agreement extends Share {
  /**
   * Cohen's kappa: agreement beyond what chance alone would give, 1 for all, 0 for none. Null where it is not defined:
   * without results, or where both always say the same one word.
   */
  readonly kappa: number | null;
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
  return { ...toShare(agreeing, opinions.length), kappa: kappaOf(table, opinions.length), table };
}

function kappaOf({ right, wrong }: Agreement["table"], of: number): number | null {
  if (of === 0) return null;
  const observed = (right.right + wrong.wrong) / of;
  const [labelled, judged] = [(right.right + right.wrong) / of, (right.right + wrong.right) / of];
  const byChance = labelled * judged + (1 - labelled) * (1 - judged);
  return byChance === 1 ? null : (observed - byChance) / (1 - byChance);
}
