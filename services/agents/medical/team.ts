import { join } from "node:path";
import { LocalBlobs } from "#shared/blobs";
import { loadConfig, outsideAddress } from "#shared/config";
import type { Config } from "#shared/config";
import { createMedicalTeam } from "./create-team.ts";
import { createDutyDesk } from "./emergency/duty-desk.ts";

const HOUR_MS = 3_600_000;

let config: Config | null = null;
let blobs: LocalBlobs | null = null;

/** Reads the configuration when something outside is first needed, so that loading the team needs none. */
function readConfig(): Config {
  config ??= loadConfig();
  return config;
}

function openBlobs(): LocalBlobs {
  const { dataDir, blobsBytesMax, blobHours } = readConfig();
  blobs ??= new LocalBlobs(join(dataDir, "blobs"), {
    bytesMax: blobsBytesMax,
    ageMsMax: blobHours * HOUR_MS,
  });
  return blobs;
}

export default createMedicalTeam({
  desk: createDutyDesk({
    address: () => ({
      ...outsideAddress(readConfig(), "desk"),
      isRehearsal: readConfig().isRehearsal,
    }),
  }),
  transcripts: openBlobs,
});
