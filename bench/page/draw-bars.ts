import { createScale } from "./scale.ts";

export interface Bar {
  readonly label: string;
  /** Above zero. */
  readonly figure: number;
  /** Least and greatest of what was measured, drawn as a line across the bar's end. */
  readonly range: readonly [number, number];
  readonly isOurs: boolean;
}

const WIDTH = 760;
const LABEL_WIDTH = 230;
const FIGURE_WIDTH = 60;
const ROW_HEIGHT = 30;
const BAR_HEIGHT = 16;
const TOP = 44;
const BOTTOM = 34;
const AXIS_WIDTH = WIDTH - LABEL_WIDTH - FIGURE_WIDTH;

/** Draws bars on one logarithmic axis, as an SVG that reads well on light and on dark. */
export function drawBars(title: string, bars: readonly Bar[]): string {
  const scale = createScale(
    bars.flatMap(({ figure, range }) => [figure, ...range]),
    AXIS_WIDTH,
  );
  const height = TOP + bars.length * ROW_HEIGHT + BOTTOM;
  const bottom = height - BOTTOM;
  const at = (figure: number): string => (LABEL_WIDTH + scale.place(figure)).toFixed(1);
  const ticks = scale.ticks.map(
    (tick) =>
      `<line class="grid" x1="${at(tick)}" x2="${at(tick)}" y1="${TOP}" y2="${bottom}"/>` +
      `<text class="tick" x="${at(tick)}" y="${bottom + 18}">${tick}</text>`,
  );
  const rows = bars.map((bar, index) => drawRow(bar, { at, top: TOP + index * ROW_HEIGHT }));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escape(title)}">`,
    `<style>text{font:13px system-ui,sans-serif;fill:#57606a}.title{font-weight:600}.tick{text-anchor:middle;font-size:11px}` +
      `.label{text-anchor:end}.grid{stroke:#8c959f;stroke-opacity:.3}.peer{fill:#8c959f}.ours{fill:#1f883d}` +
      `.range{stroke:#24292f;stroke-width:1.5}@media(prefers-color-scheme:dark){text{fill:#9198a1}.range{stroke:#f0f6fc}}</style>`,
    `<text class="title" x="0" y="18">${escape(title)}</text>`,
    ...ticks,
    ...rows,
    "</svg>",
    "",
  ].join("\n");
}

function drawRow(
  { label, figure, range, isOurs }: Bar,
  { at, top }: { readonly at: (figure: number) => string; readonly top: number },
): string {
  const middle = top + ROW_HEIGHT / 2;
  const [least, greatest] = range;
  const width = (Number(at(figure)) - LABEL_WIDTH).toFixed(1);
  return (
    `<text class="label" x="${LABEL_WIDTH - 10}" y="${middle + 4}">${escape(label)}</text>` +
    `<rect class="${isOurs ? "ours" : "peer"}" x="${LABEL_WIDTH}" y="${middle - BAR_HEIGHT / 2}" width="${width}" ` +
    `height="${BAR_HEIGHT}" rx="2"/>` +
    `<line class="range" x1="${at(least)}" x2="${at(greatest)}" y1="${middle}" y2="${middle}"/>` +
    `<text x="${WIDTH - FIGURE_WIDTH + 16}" y="${middle + 4}">${figure.toFixed(2)}</text>`
  );
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
