import { decode as decodePng } from "fast-png";
import jpeg from "jpeg-js";
import type { ChildTask, PictureMeasures } from "../reading.ts";
import { FaultError } from "./fault-error.ts";
import { measurePixels } from "./measure-pixels.ts";
import type { Pixels } from "./measure-pixels.ts";
import { sizeOfJpeg, sizeOfPng } from "./picture-size.ts";

const MEGA = 1_000_000;
/** Beside the pixels themselves, of which the decoder makes several copies. */
const MEGABYTES_PER_MEGAPIXEL = 20;
const MEGABYTES_LEAST = 64;

/** Decodes a picture, whose declared size is looked at before anything is set aside for it, and measures it. */
export function readPicture(bytes: Buffer, { type, pixelsMax }: ChildTask): PictureMeasures {
  const size = type === "image/png" ? sizeOfPng(bytes) : sizeOfJpeg(bytes);
  if (size === null || size.width < 1 || size.height < 1) throw new FaultError("damaged");
  if (size.width * size.height > pixelsMax) throw new FaultError("too_many_pixels");
  return measurePixels(type === "image/png" ? readPng(bytes) : readJpeg(bytes, pixelsMax));
}

function readPng(bytes: Buffer): Pixels {
  const { width, height, data, channels, depth, palette } = decodePng(bytes, { checkCrc: true });
  // A file that ends early decodes to fewer pixels than it declares, or to none.
  if (palette !== undefined) {
    const colours = palette;
    return {
      width,
      height,
      at: (index) => {
        const [red = 0, green = 0, blue = 0] = colours[indexIn(data, { index, width, depth })] ?? [];
        return { red, green, blue };
      },
    };
  }
  if (depth < 8) {
    const white = 2 ** depth - 1;
    return {
      width,
      height,
      at: (index) => grey((255 * indexIn(data, { index, width, depth })) / white),
    };
  }
  const scale = depth === 16 ? 257 : 1;
  return {
    width,
    height,
    at: (index) => {
      const [first = 0, second = 0, third = 0] = data.subarray(index * channels, index * channels + 3);
      return channels < 3
        ? grey(first / scale)
        : { red: first / scale, green: second / scale, blue: third / scale };
    },
  };
}

function grey(level: number): { red: number; green: number; blue: number } {
  return { red: level, green: level, blue: level };
}

/** Samples of fewer than eight bits are packed, each row from a byte of its own. */
function indexIn(
  data: ArrayLike<number>,
  place: { readonly index: number; readonly width: number; readonly depth: number },
): number {
  const { index, width, depth } = place;
  if (depth >= 8) return data[index] ?? 0;
  const perByte = 8 / depth;
  const rowBytes = Math.ceil(width / perByte);
  const column = index % width;
  const byte = data[Math.floor(index / width) * rowBytes + Math.floor(column / perByte)] ?? 0;
  return (byte >> (8 - depth * ((column % perByte) + 1))) & (2 ** depth - 1);
}

function readJpeg(bytes: Buffer, pixelsMax: number): Pixels {
  // The end of a JPEG is marked: a file without it has lost its lower part, whatever a decoder makes of it.
  if (bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) === -1) throw new FaultError("damaged");
  const megapixels = pixelsMax / MEGA;
  const { width, height, data } = jpeg.decode(bytes, {
    useTArray: true,
    formatAsRGBA: false,
    tolerantDecoding: false,
    maxResolutionInMP: megapixels,
    maxMemoryUsageInMB: MEGABYTES_LEAST + megapixels * MEGABYTES_PER_MEGAPIXEL,
  });
  return {
    width,
    height,
    at: (index) => ({
      red: data[index * 3] ?? 0,
      green: data[index * 3 + 1] ?? 0,
      blue: data[index * 3 + 2] ?? 0,
    }),
  };
}
