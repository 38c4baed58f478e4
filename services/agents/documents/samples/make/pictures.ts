import { encode as encodePng } from "fast-png";
import jpeg from "jpeg-js";
import { seeded } from "./seeded.ts";

type Rgb = readonly [number, number, number];

/** Smooth noise in [0, 1]: values on a lattice, blended. */
function createNoise(seed: number): (x: number, y: number) => number {
  const random = seeded(seed);
  const lattice = Array.from({ length: 4096 }, random);
  const at = (x: number, y: number): number => lattice[(x * 57 + y * 131) & 4095] ?? 0;
  return (x, y) => {
    const [left, top] = [Math.floor(x), Math.floor(y)];
    const [across, down] = [ease(x - left), ease(y - top)];
    const upper = at(left, top) * (1 - across) + at(left + 1, top) * across;
    const lower = at(left, top + 1) * (1 - across) + at(left + 1, top + 1) * across;
    return upper * (1 - down) + lower * down;
  };
}

function ease(part: number): number {
  return part * part * (3 - 2 * part);
}

/** Octaves of noise: coarse forms with finer ones on them. */
function layered(noise: (x: number, y: number) => number, x: number, y: number): number {
  return (noise(x, y) * 8 + noise(x * 2, y * 2) * 4 + noise(x * 4, y * 4) * 2 + noise(x * 8, y * 8)) / 15;
}

interface Scene {
  readonly width: number;
  readonly height: number;
  readonly seed: number;
  /** Colour at a place, both coordinates from 0 to 1, with noise of several scales. */
  readonly paint: (x: number, y: number, noise: (scale: number) => number) => Rgb;
}

function render({ width, height, seed, paint }: Scene): Uint8Array {
  const noise = createNoise(seed);
  const grain = seeded(seed + 1);
  const data = new Uint8Array(width * height * 3);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const [x, y] = [column / width, row / height];
      const colour = paint(x, y, (scale) => layered(noise, x * scale, y * scale));
      const shift = (grain() - 0.5) * 10;
      for (const [channel, level] of colour.entries())
        data[(row * width + column) * 3 + channel] = Math.max(0, Math.min(255, level + shift));
    }
  }
  return data;
}

function mix(from: Rgb, to: Rgb, part: number): Rgb {
  const share = Math.max(0, Math.min(1, part));
  return [
    from[0] + (to[0] - from[0]) * share,
    from[1] + (to[1] - from[1]) * share,
    from[2] + (to[2] - from[2]) * share,
  ];
}

function asJpeg(scene: Scene, quality: number): Buffer {
  const rgb = render(scene);
  const { width, height } = scene;
  const data = Buffer.alloc(width * height * 4, 255);
  for (let index = 0; index < width * height; index += 1)
    for (let channel = 0; channel < 3; channel += 1)
      data[index * 4 + channel] = rgb[index * 3 + channel] ?? 0;
  return jpeg.encode({ width, height, data }, quality).data;
}

/** A coast: sky, sea, a strip of sand. */
export function coast(): Buffer {
  const paint: Scene["paint"] = (x, y, noise) => {
    const shore = 0.78 + 0.06 * noise(4) + 0.05 * x;
    if (y > shore) return mix([214, 190, 140], [180, 150, 105], noise(60));
    if (y > 0.42) return mix([40, 110, 170], [120, 185, 215], noise(24) * 0.8 + (y - 0.42) * 0.4);
    return mix(mix([70, 140, 215], [190, 220, 245], y / 0.42), [250, 250, 252], (noise(5) - 0.5) * 2.4);
  };
  return asJpeg({ width: 1800, height: 1200, seed: 7, paint }, 80);
}

/** A wood, upright: trunks before leaves. */
export function wood(): Buffer {
  const paint: Scene["paint"] = (x, y, noise) => {
    const trunk = Math.sin(x * 55 + noise(3) * 6) > 0.86 && y > 0.2;
    if (trunk) return mix([70, 48, 30], [110, 80, 52], noise(40));
    if (y > 0.86) return mix([80, 70, 35], [120, 105, 50], noise(50));
    return mix([20, 60, 20], [120, 175, 60], noise(18) * 1.2 - y * 0.2);
  };
  return asJpeg({ width: 1200, height: 1600, seed: 21, paint }, 72);
}

/** A town at night: dark, with lit windows. */
export function night(): Buffer {
  const width = 1000;
  const height = 700;
  const paint: Scene["paint"] = (x, y, noise) => {
    const roof = 0.45 + 0.25 * noise(0.5 + Math.floor(x * 14) * 0.37);
    if (y < roof) return mix([8, 10, 30], [25, 25, 60], y + 0.2 * noise(6));
    const isWindow = (x * 140) % 4 > 2.6 && (y * 90) % 5 > 3 && noise(90) > 0.52;
    return isWindow ? [250, 205, 110] : mix([16, 15, 20], [34, 32, 40], noise(30));
  };
  const data = render({ width, height, seed: 33, paint });
  return Buffer.from(encodePng({ width, height, data, channels: 3, depth: 8 }));
}

/** Strokes of a letter that no alphabet has: enough to look like writing, and nothing that could be read. */
const STROKES: readonly (readonly [number, number, number, number])[] = [
  [0, 0, 10, 2],
  [0, 0, 2, 10],
  [8, 0, 2, 10],
  [0, 9, 10, 2],
  [0, 9, 2, 10],
  [8, 9, 2, 10],
  [0, 18, 10, 2],
];

interface Letter {
  readonly data: Uint8Array;
  readonly width: number;
  readonly random: () => number;
  readonly x: number;
  readonly y: number;
}

function writeLetter({ data, width, random, x, y }: Letter): void {
  for (const [left, top, wide, high] of STROKES.filter(() => random() >= 0.45)) {
    for (let row = 0; row < high; row += 1) {
      const begin = (y + top + row) * width + x + left;
      data.fill(30, begin, begin + wide);
    }
  }
}

/** A written page on paper that is not quite white, as a scanner sees it. */
export function scan(): Buffer {
  const [width, height] = [1240, 1754];
  const random = seeded(99);
  const data = new Uint8Array(width * height);
  for (let index = 0; index < data.length; index += 1) data[index] = 238 + Math.floor(random() * 10);
  for (let line = 0; line < 34; line += 1) {
    const last = 1040 - (line % 6 === 5 ? 500 : 0) + random() * 80;
    for (let x = 120; x < last; x += 14)
      if (random() >= 0.16) writeLetter({ data, width, random, x, y: 150 + line * 42 });
  }
  return Buffer.from(encodePng({ width, height, data, channels: 1, depth: 8 }));
}

/** A head that declares sixty thousand by sixty thousand pixels, and next to nothing behind it. */
export function bomb(): Buffer {
  const small = Buffer.from(
    encodePng({ width: 1, height: 1, data: new Uint8Array(3), channels: 3, depth: 8 }),
  );
  small.writeUInt32BE(60_000, 16);
  small.writeUInt32BE(60_000, 20);
  return small;
}
