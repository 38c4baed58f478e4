import type { PictureMeasures } from "../reading.ts";
import { nameColour } from "./name-colour.ts";

interface Colour {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

/** A decoded picture; channels from 0 to 255. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** @param index - Row by row from the upper left, from 0. */
  readonly at: (index: number) => Colour;
}

/** A picture is looked at by at most this many rows and columns. */
const SAMPLES_MAX = 512;
const PAPER_LIGHT = 0.8;
const PAPER_SATURATION = 0.12;
const INK_LIGHT = 0.45;
const EDGE_STEP = 0.18;
const COLOUR_SHARE = 0.001;
/** Of a row's pixels, from which on there is writing in it, and the most that writing covers. */
const WRITTEN_SHARE = 0.02;
const WRITTEN_SHARE_MAX = 0.7;
/** A row with this share of paper or more can stand between two lines. */
const BLANK_SHARE = 0.9;

interface Sample {
  readonly light: number;
  readonly isPaper: boolean;
  readonly isInk: boolean;
}

/** Measures a picture by samples on an even grid. */
export function measurePixels({ width, height, at }: Pixels): PictureMeasures {
  const columns = Math.min(width, SAMPLES_MAX);
  const rows = Math.min(height, SAMPLES_MAX);
  const bins = new Map<number, number>();
  const names = new Map<string, number>();
  const grid: Sample[][] = [];
  for (let row = 0; row < rows; row += 1) {
    const line: Sample[] = [];
    for (let column = 0; column < columns; column += 1) {
      const x = Math.floor(((column + 0.5) * width) / columns);
      const y = Math.floor(((row + 0.5) * height) / rows);
      const colour = at(y * width + x);
      count(bins, binOf(colour));
      count(names, nameColour(colour));
      line.push(toSample(colour));
    }
    grid.push(line);
  }
  const all = grid.flat();
  const share = (test: (sample: Sample) => boolean): number => round(all.filter(test).length / all.length);
  const brightness = all.reduce((sum, { light }) => sum + light, 0) / all.length;
  const spread = Math.sqrt(all.reduce((sum, { light }) => sum + (light - brightness) ** 2, 0) / all.length);
  return {
    width,
    height,
    brightness: round(brightness),
    contrast: round(Math.min(1, spread * 2)),
    paper_share: share(({ isPaper }) => isPaper),
    ink_share: share(({ isInk }) => isInk),
    edge_share: round(countEdges(grid) / all.length),
    colours: [...bins.values()].filter((found) => found >= all.length * COLOUR_SHARE).length,
    lines: countLines(grid),
    dominant: [...names]
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, 3)
      .map(([name, found]) => ({ name, share: round(found / all.length) })),
  };
}

/** Eight steps for each channel. */
function binOf({ red, green, blue }: Colour): number {
  return ((red >> 5) << 6) | ((green >> 5) << 3) | (blue >> 5);
}

function toSample({ red, green, blue }: Colour): Sample {
  const light = (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
  const saturation = (Math.max(red, green, blue) - Math.min(red, green, blue)) / 255;
  const isColourless = saturation < PAPER_SATURATION;
  return {
    light,
    isPaper: isColourless && light > PAPER_LIGHT,
    isInk: isColourless && light < INK_LIGHT,
  };
}

function countEdges(grid: readonly (readonly Sample[])[]): number {
  let edges = 0;
  for (const line of grid) {
    for (const [column, { light }] of line.entries()) {
      const next = line[column + 1];
      if (next !== undefined && Math.abs(next.light - light) > EDGE_STEP) edges += 1;
    }
  }
  return edges;
}

/** Runs of rows with ink on paper, each ended by rows that are blank. */
function countLines(grid: readonly (readonly Sample[])[]): number {
  let lines = 0;
  let isWithin = false;
  for (const line of grid) {
    const ink = line.filter(({ isInk }) => isInk).length / line.length;
    const paper = line.filter(({ isPaper }) => isPaper).length / line.length;
    if (ink < WRITTEN_SHARE && paper > BLANK_SHARE) isWithin = false;
    else if (ink >= WRITTEN_SHARE && ink < WRITTEN_SHARE_MAX && ink + paper > 0.6 && !isWithin) {
      isWithin = true;
      lines += 1;
    }
  }
  return lines;
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
