import { canonical } from "#shared/schema";
import { costOf } from "./align/aligner.ts";
import type { Alignment, Fitted } from "./align/aligner.ts";
import { COST_MAX, MARGIN_MIN } from "./bounds.ts";
import { REASONS } from "./first-aid-result.ts";
import type { FirstAidResult, Note, RefusalCode, Refused } from "./first-aid-result.ts";
import type { Reading } from "./read/collect-readings.ts";

/** One reading of the text with its alignment. */
export interface Treated {
  readonly reading: Reading;
  readonly alignment: Alignment;
}

export function refused(
  code: RefusalCode,
  more: { readonly notes?: readonly Note[]; readonly at?: string } = {},
): Refused {
  const { at: path = "", notes = [] } = more;
  return { ok: false, code, reason: REASONS[code] + (path === "" ? "" : ` (at ${path})`), path, notes };
}

/** Refuses to choose between the values of two repairs. */
export function undecided(
  best: Pick<Fitted, "value">,
  rival: Pick<Fitted, "value">,
  notes: readonly Note[],
): Refused {
  return { ...refused("ambiguous", { notes }), candidates: [best.value, rival.value] };
}

interface Option {
  readonly reading: Reading;
  readonly fitted: Fitted;
  readonly cost: number;
}

/** Returns the cheapest repair, when it is within the cost limit and clearly cheaper than any with another value. */
export function choose(treated: readonly Treated[], code: RefusalCode): FirstAidResult {
  const options = treated
    .flatMap(({ reading, alignment }) =>
      alignment.ok ? [{ reading, fitted: alignment, cost: reading.cost + costOf(alignment.notes) }] : [],
    )
    .toSorted((a, b) => a.cost - b.cost);
  const [best] = options;
  if (best === undefined) return refusalOf(treated, code);
  const notes = [...best.reading.notes, ...best.fitted.notes];
  const rival = findRival(options, best);
  if (rival !== undefined) return undecided(best.fitted, rival.fitted, notes);
  if (best.cost > COST_MAX) return refused("too_costly", { notes });
  return { ok: true, value: best.fitted.value, cost: best.cost, notes, unused: best.fitted.unused };
}

/** Finds a different value of similar plausibility; at two positions costs must differ more. */
function findRival(options: readonly Option[], best: Option): Option | undefined {
  if (options.length === 1) return undefined;
  const value = canonical(best.fitted.value);
  return options.find(({ reading, fitted, cost }) => {
    const isSamePlace = reading.start !== undefined && reading.start === best.reading.start;
    return cost - best.cost < (isSamePlace ? 1 : MARGIN_MIN) && canonical(fitted.value) !== value;
  });
}

/** Returns the most informative refusal: an ambiguity, else that of the cheapest reading. */
function refusalOf(treated: readonly Treated[], code: RefusalCode): Refused {
  const sorted = treated.toSorted((a, b) => a.reading.cost - b.reading.cost);
  const failed = sorted.flatMap(({ reading, alignment }) => (alignment.ok ? [] : [{ reading, alignment }]));
  const telling =
    failed.find(({ alignment }) => alignment.code === "ambiguous") ??
    failed.find(({ reading }) => reading.kind !== "text");
  if (telling === undefined)
    return refused(failed[0] === undefined || code !== "no_json" ? code : failed[0].alignment.code);
  const { code: why, path, candidates } = telling.alignment;
  const refusal = refused(why, { notes: telling.reading.notes, at: path });
  return candidates === undefined ? refusal : { ...refusal, candidates };
}
