import { z } from "zod";
import { contract } from "#shared/contract";
import type { ContractOutput } from "#shared/contract";
import type { View } from "#shared/patterns";
import { draft, objection } from "../contract-fields.ts";
import { Brief } from "../contracts.ts";

/** What stands on a report's board, under the name of its kind. */
export const ReportEntry = contract(
  "research.report-entry@1",
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("brief"), brief: Brief.schema }),
    /** `round`: versions so far, this one included. */
    z.object({ kind: z.literal("draft"), round: z.int().positive(), draft }),
    /** The editor's objections to the draft of that round; empty: accepted. */
    z.object({
      kind: z.literal("review"),
      round: z.int().positive(),
      objections: z.array(objection).max(40),
    }),
  ]),
  { description: "A report's brief, its newest draft, or what the editor says of it." },
);

type Entry = ContractOutput<typeof ReportEntry>;
type Kind = Entry["kind"];

/** The entry of this kind; null where there is none yet. */
export function findEntry<K extends Kind>(
  view: View<typeof ReportEntry>,
  kind: K,
): Extract<Entry, { kind: K }> | null {
  const value = view.entries.get(kind)?.value;
  // Written under the name of its kind, and checked against the contract when it is read.
  return value?.kind === kind ? (value as Extract<Entry, { kind: K }>) : null;
}
