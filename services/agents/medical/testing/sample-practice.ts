import { LocalBlobs } from "#shared/blobs";
import { sandboxAddress } from "#shared/config";
import { temporaryFolder } from "#shared/testing";
import type { Practice } from "../team.ts";
import { createDutyDesk } from "../emergency/agent.ts";

const BYTES_MAX = 16 * 1024 * 1024;
const HOUR_MS = 3_600_000;

/** A practice with a duty desk at `deskUrl` and transcripts in a folder of the test. */
export function samplePractice(deskUrl: string): Practice {
  const blobs = new LocalBlobs(temporaryFolder(), { bytesMax: BYTES_MAX, ageMsMax: HOUR_MS });
  return {
    desk: createDutyDesk(() => ({ ...sandboxAddress(deskUrl), isRehearsal: true })),
    transcripts: () => blobs,
  };
}
