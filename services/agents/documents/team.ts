import { join } from "node:path";
import { LocalBlobs } from "#shared/blobs";
import { processConfig } from "#shared/config";
import { team } from "#shared/runtime";
import { createIngest } from "./ingest/agent.ts";
import { createInvoice } from "./invoice/agent.ts";
import type { Library } from "./library.ts";
import { createLongread } from "./longread/crew.ts";
import { createPhoto } from "./photo/agent.ts";
import { createVision } from "./vision/agent.ts";
import { DocumentsResult } from "./result.ts";

/**
 * Three to the first part, two for each level of a tree of eight at each knot, some for messages that pass the ward.
 */
const HOPS_MAX = 24;

/** Enough for some 300,000 characters of text; a longer one is refused. */
const TOKEN_LIMIT = 200_000;

/** The documents team over the given files. */
export function createDocumentsTeam(library: Library) {
  const longread = createLongread(library);
  return team(
    "documents",
    [
      createIngest(library),
      createVision(library),
      createInvoice(library),
      createPhoto(library),
      ...longread.agents,
    ],
    {
      description: "Reads stored files: invoices, pictures, and texts.",
      // An invoice's accounts are what is asked for.
      result: DocumentsResult,
      cannotTell: { "/status": ["for_a_person"] },
      redacts: ["card", "secret"],
      loops: longread.loops,
      hopsMax: HOPS_MAX,
      tokenLimit: TOKEN_LIMIT,
    },
  );
}

let blobs: LocalBlobs | undefined;

/** Opens the blobs at the first use of a file, so that loading the team needs no configuration. */
function openBlobs(): LocalBlobs {
  const { dataDir, blobsBytesMax: bytesMax, blobHours } = processConfig();
  blobs ??= new LocalBlobs(join(dataDir, "blobs"), { bytesMax, ageMsMax: blobHours * 3_600_000 });
  return blobs;
}

export default createDocumentsTeam({ blobs: openBlobs });
