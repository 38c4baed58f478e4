import { z } from "zod";
import { contract } from "#shared/contract";
import { router } from "#shared/patterns";
import { agent, team } from "#shared/runtime";

/** A router and two solvers, of which one is asked. */

const Mail = contract("sorter.mail@1", z.object({ text: z.string() }));
const Refund = contract("sorter.refund@1", z.object({ order: z.string() }));
const Question = contract("sorter.question@1", z.object({ about: z.string() }));

export const CALLS = 1;

export default team("sorter", [
  router("sorter@1", {
    accepts: Mail,
    instructions: "Sort the mail.",
    routes: {
      refund: { to: "sorter-refund", contract: Refund, when: "they want their money" },
      question: { to: "sorter-question", contract: Question, when: "they ask something" },
    },
    standIn: (input) => {
      const { text } = Mail.schema.parse(input);
      const order = /\bA-\d+\b/.exec(text)?.[0];
      if (order === undefined) return { decision: { category: "question", parameters: { about: text } } };
      return { decision: { category: "refund", parameters: { order } } };
    },
  }),
  agent("sorter-refund@1", {
    accepts: Refund,
    handle: ({ order }, ctx) => ctx.complete({ refunded: order }),
  }),
  agent("sorter-question@1", { accepts: Question, handle: ({ about }, ctx) => ctx.complete({ about }) }),
]);
