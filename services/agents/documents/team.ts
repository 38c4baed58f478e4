import { join } from "node:path";
import { LocalBlobs } from "#shared/blobs";
import { loadConfig } from "#shared/config";
import { createDocumentsTeam } from "./create-team.ts";

const HOUR_MS = 3_600_000;

let blobs: LocalBlobs | null = null;

/** Opens the blobs at the first use of a file, so that loading the team needs no configuration. */
function openBlobs(): LocalBlobs {
  if (blobs === null) {
    const { dataDir, blobsBytesMax, blobHours } = loadConfig();
    const keeping = { bytesMax: blobsBytesMax, ageMsMax: blobHours * HOUR_MS };
    blobs = new LocalBlobs(join(dataDir, "blobs"), keeping);
  }
  return blobs;
}

export default createDocumentsTeam({ blobs: openBlobs });
