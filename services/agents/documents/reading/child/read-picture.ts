import { decode as decodePng } from "fast-png";
import jpeg from "jpeg-js";
import type { ChildTask, Reading } from "../reading.ts";
import { FaultError } from "./fault-error.ts";
import { sizeOfJpeg, sizeOfPng } from "./picture-size.ts";
import { readPictures } from "./read-pictures.ts";

const MEGA = 1_000_000;
/** Beside the pixels themselves, of which the decoder makes several copies. */
const MEGABYTES_PER_MEGAPIXEL = 20;
const MEGABYTES_LEAST = 64;

type Picture = Omit<Extract<Reading, { kind: "picture" }>, "kind">;

/** Decodes a picture to find damage, after checking its declared size, and returns that size and the text in it. */
export async function readPicture(bytes: Buffer, task: ChildTask): Promise<Picture> {
  const { type, pixelsMax } = task;
  const size = type === "image/png" ? sizeOfPng(bytes) : sizeOfJpeg(bytes);
  if (size === null || size.width < 1 || size.height < 1) throw new FaultError("damaged");
  if (size.width * size.height > pixelsMax) throw new FaultError("too_many_pixels");
  if (type === "image/png") decodePng(bytes, { checkCrc: true });
  else decodeJpeg(bytes, pixelsMax);
  const { pages, ocr } = await readPictures([bytes], task);
  return { ...size, text: pages[0] ?? null, ocr };
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
