import type { SoakReport } from "./run-soak.ts";
import type { Sample } from "./sample.ts";

const WIDTH = 860;
const PANEL_HEIGHT = 150;
const LEFT = 80;
const RIGHT = 20;
const TOP = 54;
const GAP = 34;
const MEBI = 1024 * 1024;

interface Panel {
  readonly title: string;
  readonly colour: string;
  readonly of: (sample: Sample) => number;
}

const PANELS: readonly Panel[] = [
  { title: "Redis used_memory, MiB", colour: "#b4471f", of: (sample) => sample.redisBytes / MEBI },
  { title: "Redis keys, thousands", colour: "#1f6fb4", of: (sample) => sample.keys / 1000 },
  { title: "Heap after collection, MiB", colour: "#3b7d3b", of: (sample) => sample.heapBytes / MEBI },
  { title: "RSS of the process, MiB", colour: "#6b4fa0", of: (sample) => sample.rssBytes / MEBI },
];

/** Memory over runs as an SVG text. Pure. @param pointsMax - Of each line; of more samples an even part is drawn. */
export function drawChart(report: SoakReport, pointsMax: number): string {
  const step = Math.max(1, Math.ceil(report.samples.length / pointsMax));
  const samples = report.samples.filter((_, index) => index % step === 0);
  const height = TOP + PANELS.length * (PANEL_HEIGHT + GAP) + 10;
  const panels = PANELS.map((panel, index) =>
    drawPanel(panel, { samples, runs: report.runs, top: TOP + index * (PANEL_HEIGHT + GAP) }),
  );
  const seconds = Math.round(report.seconds);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    `<text x="${LEFT}" y="22" font-size="15" font-weight="bold">Memory over ${report.runs} runs, with a retention of ${report.retentionMs / 1000} s</text>`,
    `<text x="${LEFT}" y="40" fill="#555555">${seconds} s under load; the last quarter is what the verdict is about</text>`,
    ...panels,
    "</svg>\n",
  ].join("\n");
}

function drawPanel(
  panel: Panel,
  place: { readonly samples: readonly Sample[]; readonly runs: number; readonly top: number },
): string {
  const { samples, runs, top } = place;
  const values = samples.map(panel.of);
  const highest = Math.max(...values, 0) * 1.1 || 1;
  const bottom = top + PANEL_HEIGHT;
  const x = (at: number): number => LEFT + (at / runs) * (WIDTH - LEFT - RIGHT);
  const y = (value: number): number => bottom - (value / highest) * PANEL_HEIGHT;
  const line = samples.map((sample) => `${x(sample.runs).toFixed(1)},${y(panel.of(sample)).toFixed(1)}`);
  const marks = [0, 0.5, 1].map((share) => {
    const at = y(highest * share);
    const label = (highest * share).toPrecision(3);
    return `<line x1="${LEFT}" y1="${at}" x2="${WIDTH - RIGHT}" y2="${at}" stroke="#dddddd"/><text x="${LEFT - 8}" y="${at + 4}" text-anchor="end" fill="#555555">${label}</text>`;
  });
  const runMarks = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      `<text x="${x(runs * share)}" y="${bottom + 14}" text-anchor="middle" fill="#555555">${Math.round(runs * share)}</text>`,
  );
  return [
    `<rect x="${x(runs * 0.75)}" y="${top}" width="${x(runs) - x(runs * 0.75)}" height="${PANEL_HEIGHT}" fill="#f2f2ea"/>`,
    ...marks,
    ...runMarks,
    `<polyline points="${line.join(" ")}" fill="none" stroke="${panel.colour}" stroke-width="2"/>`,
    `<text x="${LEFT + 6}" y="${top + 14}" font-weight="bold" fill="${panel.colour}">${panel.title}</text>`,
  ].join("\n");
}
