import { blackboard, collectFailures, orDefault } from "#shared/patterns";
import { agent } from "#shared/runtime";
import { defineError } from "#shared/errors";
import { Findings, Snippet, Unexplained } from "../contracts.ts";

/** A check of the desk found fault with a snippet. */
class SnippetRefusedError extends defineError((problem: string) => ({
  code: "GALLERY_SNIPPET_REFUSED",
  failureClass: "content_error",
  message: `The snippet has a fault: ${problem}.`,
  remedy: "Correct the snippet and submit it again; its card names the fault.",
})) {}

const LICENCE = /SPDX-License-Identifier:\s*([\w.+-]{1,40})/;
const COLUMNS_MAX = 120;

/** Returns the licence that the code names. @throws {SnippetRefusedError} It names none. */
function readLicence(code: string): string {
  const licence = LICENCE.exec(code)?.[1];
  if (licence === undefined) throw new SnippetRefusedError("it names no licence");
  return licence;
}

/** Returns the number of lines. @throws {SnippetRefusedError} One is too long for a card. */
function countLines(code: string): number {
  const lines = code.trimEnd().split("\n");
  const long = lines.findIndex((line) => line.length > COLUMNS_MAX);
  if (long >= 0) throw new SnippetRefusedError(`line ${long + 1} has more than ${COLUMNS_MAX} columns`);
  return lines.length;
}

/** Returns true for balanced brackets. @throws {SnippetRefusedError} The code was cut off. */
function checkWhole(code: string): boolean {
  const open = code.match(/[([{]/g)?.length ?? 0;
  const closed = code.match(/[)\]}]/g)?.length ?? 0;
  if (open !== closed) throw new SnippetRefusedError(`${open} brackets open and ${closed} close`);
  return true;
}

/** The board of a run, which the desk writes and the cataloguer reads. */
export const BOARD = "gallery";

/** Checks a snippet, notes what it finds on the board, and hands it to anybody who explains code. */
export const desk = agent("gallery-desk@1", {
  accepts: Snippet,
  toCapable: { explaining: Unexplained },
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
