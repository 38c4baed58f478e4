/** Places figures along an axis, by their logarithm: a tenth is as far from one as one is from ten. */
export interface Scale {
  /** Distance from the start of the axis, in its own unit. Figures outside lie at its ends. */
  readonly place: (figure: number) => number;
  /** Figures to mark: 1, 2 and 5 times the powers of ten. */
  readonly ticks: readonly number[];
}

const STEPS = [1, 2, 5] as const;

/**
 * An axis from the greatest mark at or below the least figure to the least mark at or above the greatest.
 *
 * @param figures - Above zero.
 * @throws {RangeError} There are none, or one has no logarithm.
 */
export function createScale(figures: readonly number[], length: number): Scale {
  if (figures.length === 0 || figures.some((figure) => !(figure > 0 && Number.isFinite(figure))))
    throw new RangeError("an axis needs figures above zero");
  const [least, greatest] = [Math.min(...figures), Math.max(...figures)];
  const marks = listMarks(least, greatest);
  const start = marks.findLast((mark) => mark <= least) ?? least;
  const end = marks.find((mark) => mark >= greatest && mark > start) ?? greatest;
  const span = Math.log(end / start);
  return {
    place: (figure) => length * Math.min(1, Math.max(0, Math.log(figure / start) / span)),
    ticks: marks.filter((mark) => mark >= start && mark <= end),
  };
}

/** Marks from a decade below the least figure to a decade above the greatest. */
function listMarks(least: number, greatest: number): number[] {
  const marks: number[] = [];
  const last = Math.ceil(Math.log10(greatest)) + 1;
  for (let power = Math.floor(Math.log10(least)) - 1; power <= last; power += 1) {
    // Through text: 3 * 0.1 is not 0.3.
    for (const step of STEPS) marks.push(Number(`${step}e${power}`));
  }
  return marks;
}
