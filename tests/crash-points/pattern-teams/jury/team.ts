import { z } from "zod";
import { contract } from "#shared/contract";
import { bestOf, majorityVote, rubric, synthesise } from "#shared/patterns/ensemble";
import { agent, team } from "#shared/runtime";

/** One agent that votes, takes the best of two and makes one of two: eight calls, each of them a step. */

const Ticket = contract("jury.ticket@1", z.object({ text: z.string() }));
const Severity = contract("jury.severity@1", z.object({ severity: z.string() }));
const Draft = contract("jury.draft@1", z.object({ draft: z.string() }));
const Whole = contract("jury.whole@1", z.object({ whole: z.string() }));
const QUALITY = rubric("jury.quality@1", [{ name: "short", asks: "Says it in few words." }]);

export const CALLS = 8;

export default team("jury", [
  agent("jury@1", {
    accepts: Ticket,
    answers: [Severity, Draft, Whole, QUALITY.contract],
    standIns: {
      severity: () => ({ severity: "high" }),
      draft: () => ({ draft: "sorry" }),
      whole: () => ({ whole: "we are sorry" }),
      judge: () => ({
        scores: [1, 2].map((candidate) => ({ candidate, criterion: "short", score: candidate })),
      }),
    },
    handle: async (input, ctx) => {
      const ask = { instructions: "Read the ticket.", input };
      const verdict = await majorityVote(ctx, {
        ...ask,
        step: "severity",
        answers: Severity,
        voters: 3,
        vote: ({ severity }) => severity,
      });
      const best = await bestOf(ctx, {
        ...ask,
        step: "reply",
        answers: Draft,
        voters: 2,
        rubric: QUALITY,
        judge: { instructions: "Judge the replies." },
      });
      const { whole } = await synthesise(ctx, {
        ...ask,
        step: "whole",
        answers: Draft,
        voters: 2,
        synthesis: { instructions: "Make one of them.", answers: Whole },
      });
      return ctx.complete({ severity: verdict.label, best: best.answer.draft, whole });
    },
  }),
]);
