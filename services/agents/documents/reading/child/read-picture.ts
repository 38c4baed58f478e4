import { decode as decodePng } from "fast-png";
import jpeg from "jpeg-js";
import type { ChildTask, Reading } from "../reading.ts";
import { FaultError } from "./fault-error.ts";
import { looksWritten } from "./looks-written.ts";
import type { Pixels } from "./looks-written.ts";
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
  const pixels = type === "image/png" ? pixelsOfPng(bytes) : decodeJpeg(bytes, pixelsMax);
  const isRead = (pixels === null || looksWritten(pixels)) && size.width * size.height <= task.ocrPixelsMax;
  const { pages, ocr } = await readPictures([isRead ? bytes : async () => "not_written"], task);
  return { ...size, text: pages[0] ?? null, ocr };
}

/** Null: of more than a byte a channel, or colours by number, which luminance cannot be told from. */
function pixelsOfPng(bytes: Buffer): Pixels | null {
  const { width, height, channels, depth, palette, data } = decodePng(bytes, { checkCrc: true });
  return depth === 8 && palette === undefined ? { width, height, channels, data } : null;
}

function decodeJpeg(bytes: Buffer, pixelsMax: number): Pixels {
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
  return { width, height, channels: 3, data };
}
