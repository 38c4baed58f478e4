import { join } from "node:path";
import { processConfig } from "#shared/config";
import { LocalBlobs } from "./local-blobs.ts";

let blobs: LocalBlobs | undefined;

/** Opens the blobs of this process at their first use, so that loading a team needs no configuration. */
export function processBlobs(): LocalBlobs {
  const { dataDir, blobsBytesMax: bytesMax, blobHours } = processConfig();
  return (blobs ??= new LocalBlobs(join(dataDir, "blobs"), { bytesMax, ageMsMax: blobHours * 3_600_000 }));
}
