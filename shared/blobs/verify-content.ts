import { createHash } from "node:crypto";
import { pipeline, Transform } from "node:stream";
import type { Readable, TransformCallback } from "node:stream";
import { BlobDamagedError } from "./errors.ts";

/**
 * Returns a content's bytes, the last chunk after all are hashed: changed content ends with a BlobDamagedError and is
 * never taken for the whole. @param sha256 - 64 hex digits.
 */
export function verifyContent(content: Readable, sha256: string): Readable {
  const hash = createHash("sha256");
  let held: Buffer | null = null;
  const verified = new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      const before = held;
      held = chunk;
      hash.update(chunk);
      done(null, before);
    },
    flush(done: TransformCallback) {
      if (hash.digest("hex") === sha256) done(null, held);
      else done(new BlobDamagedError(sha256));
    },
  });
  // Either end's failure destroys the other; the reader hears of it from the stream itself.
  pipeline(content, verified, () => undefined);
  return verified;
}
