/** Width and height in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Offset of the size in a PNG's first chunk, its header. */
const PNG_SIZE_AT = 16;

/** The declared size in pixels; null where it is not told. */
export function sizeOfPng(bytes: Buffer): Size | null {
  if (bytes.length < PNG_SIZE_AT + 8 || bytes.toString("latin1", 12, 16) !== "IHDR") return null;
  return { width: bytes.readUInt32BE(PNG_SIZE_AT), height: bytes.readUInt32BE(PNG_SIZE_AT + 4) };
}

/** The declared size in pixels, from the frame's head; null where it is not told. */
export function sizeOfJpeg(bytes: Buffer): Size | null {
  let at = 2;
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (isFrame(marker)) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

/** Of the markers C0 to CF, all but the tables begin a frame. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}
