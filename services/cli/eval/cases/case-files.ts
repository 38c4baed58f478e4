import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { SNIFFED_BYTES, sniffType } from "#shared/blobs";
import type { BlobStore } from "#shared/blobs";
import type { FilesToStore } from "../../http/store-files.ts";

const UNKNOWN_TYPE = "application/octet-stream";

/**
 * Files that labelled cases name. Cases are read before there is a place to keep anything, so that each file gets its
 * reference first, as a gateway would give it, and is stored once the system is open.
 */
export class CaseFiles {
  private readonly contents = new Map<string, Uint8Array<ArrayBuffer>>();

  /** What `storeFiles` asks: gives a content's reference, and remembers the content. */
  readonly refer: FilesToStore["store"] = (content) => {
    const sha256 = createHash("sha256").update(content).digest("hex");
    this.contents.set(sha256, content);
    const mimeType = sniffType(content.subarray(0, SNIFFED_BYTES)) ?? UNKNOWN_TYPE;
    return Promise.resolve({
      uri: `sha256:${sha256}`,
      mime_type: mimeType,
      bytes: content.length,
      sha256,
    });
  };

  /** @throws what `BlobStore.store` throws. */
  async keepIn(blobs: BlobStore, signal: AbortSignal): Promise<void> {
    for (const content of this.contents.values()) {
      await blobs.store({
        content: Readable.from(Buffer.from(content), { objectMode: false }),
        mimeType: UNKNOWN_TYPE,
        bytesMax: content.length,
        signal,
      });
    }
  }
}
