import { team } from "#shared/runtime";
import type { ServedBeside } from "#shared/a2a";
import { createIngest, reader } from "./ingest/agent.ts";
import { invoice } from "./invoice/agent.ts";
import { longread } from "./longread/crew.ts";
import { photo } from "./photo/agent.ts";
import { vision } from "./vision/agent.ts";
import { DocumentsResult } from "./result.ts";

/** The documents team, with another reader in tests. */
export function createDocumentsTeam(own: ServedBeside = reader) {
  return team("documents", [createIngest(own), vision, invoice, photo, ...longread.agents], {
    description: "Reads stored files: invoices, pictures, and texts.",
    // An invoice's accounts are what is asked for.
    result: DocumentsResult,
    redacts: ["card", "secret"],
    loops: longread.loops,
    // Three to the first part, two for each level of a tree of eight at each knot, some for the ward.
    hopsMax: 24,
    // Enough for some 300,000 characters of text; a longer one is refused.
    tokenLimit: 200_000,
  });
}

export default createDocumentsTeam();
