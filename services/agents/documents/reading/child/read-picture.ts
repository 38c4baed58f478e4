import { decode as decodePng } from "fast-png";
import jpeg from "jpeg-js";
import type { ChildTask } from "../reading.ts";
import { FaultError } from "./fault-error.ts";
import { sizeOfJpeg, sizeOfPng } from "./picture-size.ts";
import type { Size } from "./picture-size.ts";

const MEGA = 1_000_000;
/** Beside the pixels themselves, of which the decoder makes several copies. */
const MEGABYTES_PER_MEGAPIXEL = 20;
const MEGABYTES_LEAST = 64;

/** Decodes a picture to find damage, after checking its declared size, and returns that size. */
export function readPicture(bytes: Buffer, { type, pixelsMax }: ChildTask): Size {
  const size = type === "image/png" ? sizeOfPng(bytes) : sizeOfJpeg(bytes);
  if (size === null || size.width < 1 || size.height < 1) throw new FaultError("damaged");
  if (size.width * size.height > pixelsMax) throw new FaultError("too_many_pixels");
  if (type === "image/png") decodePng(bytes, { checkCrc: true });
  else decodeJpeg(bytes, pixelsMax);
  return size;
}

function decodeJpeg(bytes: Buffer, pixelsMax: number): void {
  // The end of a JPEG is marked: a file without it has lost its lower part, whatever a decoder makes of it.
  if (bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) === -1) throw new FaultError("damaged");
  const megapixels = pixelsMax / MEGA;
  jpeg.decode(bytes, {
    useTArray: true,
    formatAsRGBA: false,
    tolerantDecoding: false,
    maxResolutionInMP: megapixels,
    maxMemoryUsageInMB: MEGABYTES_LEAST + megapixels * MEGABYTES_PER_MEGAPIXEL,
  });
}
