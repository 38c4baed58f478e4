import { Readable } from "node:stream";
import type { LocalBlobs } from "#shared/blobs";
import { tenantOfUser } from "#shared/config";
import type { Envelope } from "#shared/envelope";

/** Returns the store of conversations. Called when needed, so that the team's graph needs no configuration. */
export type Transcripts = () => LocalBlobs;

/**
 * Stores a conversation among the files of the run's tenant and returns its reference, `sha256:<hex>`, which
 * `GET /v1/blobs/{id}` resolves until the file expires (`SUTURE_BLOB_HOURS`).
 */
export async function keepTranscript(
  transcripts: Transcripts,
  { user_context }: Pick<Envelope, "user_context">,
  { bytes, signal }: { readonly bytes: Uint8Array; readonly signal: AbortSignal },
): Promise<{ readonly uri: string; readonly sha256: string }> {
  const { sha256 } = await transcripts()
    .of(tenantOfUser(user_context.user_id))
    .store({
      content: Readable.from([bytes]),
      mimeType: "application/json",
      bytesMax: bytes.byteLength,
      signal,
    });
  return { uri: `sha256:${sha256}`, sha256 };
}
