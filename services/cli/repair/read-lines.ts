/** One line of a stream: its text, or why there is none. */
export type Line = { readonly text: string } | { readonly problem: "too_long" | "not_utf8" };

/** A line that is longer is skipped and reported, so that memory stays bounded. Bytes. */
export const LINE_BYTES_MAX = 16 * 1024 * 1024;

const NEWLINE = 0x0a;

/**
 * Splits bytes into lines. Blank lines are left out; what is not UTF-8 or too long is reported and does not stop
 * the rest.
 */
export async function* readLines(
  stream: AsyncIterable<Buffer>,
  bytesMax = LINE_BYTES_MAX,
): AsyncGenerator<Line> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      bytes += end - start;
      if (bytes <= bytesMax) pieces.push(chunk.subarray(start, end));
      yield* toLine(pieces, bytes > bytesMax);
      [pieces, bytes, start] = [[], 0, end + 1];
    }
    bytes += chunk.length - start;
    if (bytes <= bytesMax) pieces.push(chunk.subarray(start));
    else pieces = [];
  }
  yield* toLine(pieces, bytes > bytesMax);
}

function* toLine(pieces: readonly Buffer[], isTooLong: boolean): Generator<Line> {
  if (isTooLong) return yield { problem: "too_long" };
  try {
    // Also takes away a byte order mark, which Windows programs put before the first line.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(pieces));
    if (text.trim() !== "") yield { text };
  } catch {
    yield { problem: "not_utf8" };
  }
}
