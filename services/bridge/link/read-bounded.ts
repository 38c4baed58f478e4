import type { Http2Stream } from "node:http2";

/** Reads a stream to its end. @returns null when it has more than `bytesMax`; the rest is not read. */
export async function readBounded(stream: Http2Stream, bytesMax: number): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let length = 0;
  // A stream without an encoding yields buffers.
  for await (const part of stream as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > bytesMax) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
