import { blackboard, collectFailures, orDefault } from "#shared/patterns";
import { agent } from "#shared/runtime";
import { Findings, Snippet, Unexplained } from "../contracts.ts";
import { checkWhole, countLines, readLicence } from "./checks.ts";

/** The board of a run, which the desk writes and the cataloguer reads. */
export const BOARD = "gallery";

/** Checks a snippet, notes what it finds on the board, and hands it to anybody who explains code. */
export const desk = agent("gallery-desk@1", {
  accepts: Snippet,
  toCapable: { explaining: Unexplained },
  boards: [BOARD],
  description: "Checks a snippet and hands it to any agent that explains code.",
  guard: { mayCause: [] },
  handle: async ({ author, ...snippet }, ctx) => {
    const { code } = snippet;
    // Reaction “defaults”: a snippet without a licence is shown as one.
    const licence = await orDefault(ctx, {
      step: "licence",
      work: () => readLicence(code),
      default: "none stated",
    });
    // Reaction “collect”: every check is made, and all faults are told at once.
    const { values, failures } = await collectFailures(ctx, {
      lines: () => countLines(code),
      whole: () => checkWhole(code),
    });
    const problems = [...failures, ...(licence.failure === null ? [] : [licence.failure])];
    await blackboard(ctx, { name: BOARD, entry: Findings }).update("findings", "findings", () => ({
      author,
      lines: values.lines ?? null,
      licence: licence.value,
      problems: problems.map(({ step, message }) => ({ step, why: message })),
    }));
    return ctx.handoff({ capability: "explaining" }, snippet, { reason: "to be explained" });
  },
});
