import type { CaseGroup } from "#shared/store/cases";

/**
 * Why a group needs a person, the most urgent first.
 * - `regressed`: messages came though somebody had called it resolved;
 * - `failing_again`: messages that were repaired came back, and some of it is open: the repair may be wrong;
 * - `waiting`: cases wait for a decision, and nobody has said that they look after it;
 * - `looked_after`: somebody has, and some of it is open;
 * - `in_treatment`: the surgeon is on all that is open;
 * - `quiet`: nothing of it is open.
 */
export const ATTENTIONS = [
  "regressed",
  "failing_again",
  "waiting",
  "looked_after",
  "in_treatment",
  "quiet",
] as const;

export type Attention = (typeof ATTENTIONS)[number];

/** What a group is judged by. `quarantined`: its cases that wait for a person. */
export type Judged = Pick<CaseGroup, "lifecycle" | "open" | "replays" | "last_seen_ms"> & {
  readonly quarantined: number;
};

/** Pure. */
export function attentionOf(group: Judged): Attention {
  const { lifecycle, open, replays, quarantined } = group;
  if (lifecycle === "regressed") return "regressed";
  if (open === 0) return "quiet";
  if (lifecycle === "acknowledged") return "looked_after";
  if (replays > 0) return "failing_again";
  return quarantined > 0 ? "waiting" : "in_treatment";
}

/** What needs a person most first; among equals, where most cases wait, then what came last. For sorting. */
export function byNeed(one: Judged, other: Judged): number {
  const rank = (group: Judged): number => ATTENTIONS.indexOf(attentionOf(group));
  return (
    rank(one) - rank(other) ||
    other.quarantined - one.quarantined ||
    other.open - one.open ||
    other.last_seen_ms - one.last_seen_ms
  );
}
