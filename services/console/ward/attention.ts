import { ATTENTIONS } from "#shared/api";
import type { Attention } from "#shared/api";
import type { CaseGroup } from "#shared/store/cases";

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
