import { gunzipSync } from "node:zlib";
import { EnvelopeTooLargeError, SealMalformedError } from "../errors.ts";
import { decodeText } from "../read-envelope.ts";

/** Text as a job or a case holds it. */
export interface PackedText {
  /** The text itself, or with `encoding` gzip the base64 of its compressed bytes. */
  readonly sealed: string;
  /** Undefined: the text is not packed. */
  readonly encoding?: unknown;
}

/**
 * Unpacks a sealed text. At most `bytesMax` bytes come out, whatever went in.
 *
 * @throws {SealMalformedError} The encoding is neither gzip nor none, the base64 is not canonical, or the gzip is
 * broken.
 * @throws {EnvelopeTooLargeError} More than `bytesMax` would come out.
 * @throws {JsonSyntaxError} What came out is not UTF-8.
 */
export function unpackText({ sealed, encoding }: PackedText, bytesMax: number): string {
  if (encoding === undefined) return sealed;
  if (encoding !== "gzip") throw new SealMalformedError("its encoding is neither gzip nor none");
  const packed = Buffer.from(sealed, "base64");
  if (packed.toString("base64") !== sealed) throw new SealMalformedError("its gzip is not canonical base64");
  return decodeText(gunzip(packed, bytesMax));
}

function gunzip(packed: Buffer, bytesMax: number): Buffer {
  try {
    return gunzipSync(packed, { maxOutputLength: bytesMax });
  } catch (cause) {
    const isTooLarge =
      cause instanceof RangeError && "code" in cause && cause.code === "ERR_BUFFER_TOO_LARGE";
    if (isTooLarge) throw new EnvelopeTooLargeError(bytesMax);
    throw new SealMalformedError("its gzip cannot be unpacked");
  }
}
