import jpeg from "jpeg-js";
import { decode as decodePng } from "fast-png";
import { FaultError } from "../reading.ts";
import type { ChildTask, Reading } from "../reading.ts";
import { looksWritten, readPictures } from "./read-pictures.ts";
import type { Pixels } from "./read-pictures.ts";

const MEGA = 1_000_000;
/** Beside the pixels themselves, of which the decoder makes several copies. */
const MEGABYTES_PER_MEGAPIXEL = 20;
const MEGABYTES_LEAST = 64;
/** Offset of the size in a PNG's first chunk, its header. */
const PNG_SIZE_AT = 16;

interface Decoded {
  readonly width: number;
  readonly height: number;
  readonly pixels: Pixels | null;
}

/** Decodes a picture to find damage, within its bound of pixels, and returns its size and the text in it. */
export async function readPicture(
  bytes: Buffer,
  task: ChildTask,
): Promise<Omit<Extract<Reading, { kind: "picture" }>, "kind">> {
  const { type, pixelsMax, ocrPixelsMax } = task;
  const { width, height, pixels } =
    type === "image/png" ? readPng(bytes, pixelsMax) : readJpeg(bytes, pixelsMax);
  const isRead = (pixels === null || looksWritten(pixels)) && width * height <= ocrPixelsMax;
  const { pages, ocr } = await readPictures([isRead ? bytes : async () => "not_written"], task);
  return { width, height, text: pages[0] ?? null, ocr };
}

/** Its declared size is held against the bound before anything is unpacked. */
function readPng(bytes: Buffer, pixelsMax: number): Decoded {
  if (bytes.length < PNG_SIZE_AT + 8 || bytes.toString("latin1", 12, 16) !== "IHDR")
    throw new FaultError("damaged");
  if (bytes.readUInt32BE(PNG_SIZE_AT) * bytes.readUInt32BE(PNG_SIZE_AT + 4) > pixelsMax)
    throw new FaultError("too_many_pixels");
  const { width, height, channels, depth, palette, data } = decodePng(bytes, { checkCrc: true });
  // Not of more than a byte a channel, or colours by number.
  const isPlain = depth === 8 && palette === undefined;
  return { width, height, pixels: isPlain ? { width, height, channels, data } : null };
}

function readJpeg(bytes: Buffer, pixelsMax: number): Decoded {
  // The end of a JPEG is marked: a file without it has lost its lower part, whatever a decoder makes of it.
  if (bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) === -1) throw new FaultError("damaged");
  const megapixels = pixelsMax / MEGA;
  try {
    const { width, height, data } = jpeg.decode(bytes, {
      useTArray: true,
      formatAsRGBA: false,
      tolerantDecoding: false,
      maxResolutionInMP: megapixels,
      maxMemoryUsageInMB: MEGABYTES_LEAST + megapixels * MEGABYTES_PER_MEGAPIXEL,
    });
    return { width, height, pixels: { width, height, channels: 3, data } };
  } catch (error) {
    const isTooLarge = error instanceof Error && error.message.startsWith("maxResolutionInMP");
    throw new FaultError(isTooLarge ? "too_many_pixels" : "damaged");
  }
}
