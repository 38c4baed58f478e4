import { z } from "zod";
import { contract } from "#shared/contract";
import type { ContractOutput } from "#shared/contract";
import { controlShell } from "#shared/patterns";
import type { Choice, ControlShell, View } from "#shared/patterns";
import { Brief } from "../contracts.ts";
import { BriefMissingError } from "../errors.ts";
import { REPORT_ROUNDS_MAX } from "../limits.ts";
import { settleAnswer } from "../result.ts";
import { formatReport } from "./format-report.ts";
import { draft, objection } from "../contract-fields.ts";

/** What stands on a report's board, under the name of its kind. */
const ReportEntry = contract(
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

export type ReportShell = ControlShell<typeof ReportEntry>;

/**
 * A report on a blackboard: the writer drafts, the editor objects, the writer answers the objections, until the editor
 * is content or the rounds are spent. What is open then is said in the result.
 */
export function createReport(): ReportShell {
  return controlShell("report", {
    accepts: Brief,
    entry: ReportEntry,
    writers: ["writer", "editor"],
    turnsMax: 2 * REPORT_ROUNDS_MAX,
    begin: async (brief, board) => {
      await board.update("brief", "brief", () => ({ kind: "brief", brief }));
    },
    choose: async (view, { left, ctx }) => {
      const next = chooseNext(view, left);
      if ("writer" in next) return next;
      const { brief, report } = next;
      const answer = formatReport(brief, report);
      const topics = brief.questions.map(({ text }) => text);
      return { finish: await settleAnswer(ctx, { place: brief.conversation, answer, topics }) };
    },
  });
}

interface Finished {
  readonly brief: ContractOutput<typeof Brief>;
  readonly report: Parameters<typeof formatReport>[1];
}

/** Writer and editor in turn; another round is begun only where the editor can still see what comes of it. */
function chooseNext(
  view: View<typeof ReportEntry>,
  left: number,
): Extract<Choice, { writer: string }> | Finished {
  const brief = findEntry(view, "brief")?.brief;
  if (brief === undefined) throw new BriefMissingError();
  const newest = findEntry(view, "draft");
  const review = findEntry(view, "review");
  if (newest === null) return { writer: "writer", because: "there is no draft yet" };
  if (review?.round !== newest.round) return { writer: "editor", because: `draft ${newest.round} is new` };
  const { objections } = review;
  if (objections.length > 0 && left >= 2)
    return { writer: "writer", because: `${objections.length} objections to draft ${newest.round}` };
  return { brief, report: { draft: newest.draft, round: newest.round, objections } };
}
