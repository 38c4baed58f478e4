/** Decoded pixels, one byte for each channel. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly data: ArrayLike<number>;
}

/**
 * Side of the squares that a picture is looked at in, in pixels, and the step between the pixels that are
 * looked at.
 */
const TILE = 32;
const STEP = 2;
/** Luminance: less is flat, more is ink on its ground. */
const FLAT = 30;
const INK = 60;
/** Written pages have more than half of such squares among those that are not flat, and leaves next to none. */
const WRITTEN_SHARE = 0.15;

/**
 * Whether a picture may have writing on it: squares of an even ground with something on it that stands out. Reading
 * letters off leaves and waves takes long and finds none.
 */
export function looksWritten(picture: Pixels): boolean {
  let [busy, written] = [0, 0];
  for (let top = 0; top + TILE <= picture.height; top += TILE)
    for (let left = 0; left + TILE <= picture.width; left += TILE) {
      const sorted = levelsIn(picture, left, top);
      const [low, middle, high] = [sorted[2] ?? 0, sorted[sorted.length >> 1] ?? 0, sorted.at(-3) ?? 0];
      if (high - low < FLAT) continue;
      busy += 1;
      const [below, above] = [middle - low, high - middle];
      if ((above < FLAT && below > INK) || (below < FLAT && above > INK)) written += 1;
    }
  return busy > 0 && written >= busy * WRITTEN_SHARE;
}

/** Luminance of the pixels of a square, darkest first. */
function levelsIn({ data, width, channels }: Pixels, left: number, top: number): number[] {
  const levels: number[] = [];
  for (let y = top; y < top + TILE; y += STEP)
    for (let x = left; x < left + TILE; x += STEP)
      levels.push(luminance(data, (y * width + x) * channels, channels));
  return levels.toSorted((a, b) => a - b);
}

function luminance(data: ArrayLike<number>, at: number, channels: number): number {
  const [red, green, blue] = [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
  return channels < 3 ? red : (3 * red + 6 * green + blue) / 10;
}
