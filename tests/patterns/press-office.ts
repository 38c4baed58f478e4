import { z } from "zod";
import { contract } from "#shared/contract";
import { fanOut, join, router } from "#shared/patterns";
import { agent, team } from "#shared/runtime";

const Request = contract("press.request@1", z.object({ text: z.string() }));
const Story = contract("press.story@1", z.object({ subject: z.string(), angles: z.array(z.string()) }));
const Angle = contract("press.angle@1", z.object({ subject: z.string(), angle: z.string() }));
const Draft = contract("press.draft@1", z.object({ paragraphs: z.array(z.string()), round: z.int() }));
const Paragraph = contract("press.paragraph@1", z.object({ text: z.string() }));
const Correction = contract("press.correction@1", z.object({ wrong: z.string(), right: z.string() }));

/** Answers in rehearsal, in the router model's place. */
const sort = ({ text }: { text: string }) => ({
  decision: text.startsWith("Write about ")
    ? { category: "story", parameters: { subject: text.slice(12), angles: ["past", "present", "future"] } }
    : { category: "unknown", because: "It asks for no story." },
});

// --- the team: a router, a fan-out and a cycle ---
const desk = router("desk@1", {
  accepts: Request,
  instructions: "You sort what comes in at a press office.",
  routes: {
    story: { to: "planner", contract: Story, when: "somebody wants a story written" },
    correction: { to: "corrections", contract: Correction, when: "something printed was wrong" },
  },
  standIn: sort,
});

const planner = agent("planner@1", {
  accepts: Story,
  to: { reporter: Angle, editor: Draft },
  handle: ({ subject, angles }, ctx) =>
    fanOut({
      branches: angles.map((angle) => ctx.handoff("reporter", { subject, angle })),
      join: ctx.handoff("editor", { paragraphs: [], round: 0 }),
      policy: { quorum: Math.ceil(angles.length / 2) },
      window: 5,
    }),
});

const reporter = agent("reporter@1", {
  accepts: Angle,
  to: { editor: Paragraph },
  handle: ({ subject, angle }, ctx) => ctx.handoff("editor", { text: `The ${angle} of ${subject}` }),
});

const editor = join("editor@1", {
  accepts: Draft,
  collects: Paragraph,
  to: { critic: Draft },
  handle: (draft, { answers }, ctx) =>
    ctx.handoff("critic", { ...draft, paragraphs: answers.map(({ value }) => value.text) }),
});

const critic = agent("critic@1", {
  accepts: Draft,
  to: { polisher: Draft },
  handle: (draft, ctx) => (draft.round < 2 ? ctx.handoff("polisher", draft) : ctx.complete(draft)),
});

const polisher = agent("polisher@1", {
  accepts: Draft,
  to: { critic: Draft },
  handle: ({ paragraphs, round }, ctx) =>
    ctx.handoff("critic", { paragraphs: paragraphs.map((text) => `${text}.`), round: round + 1 }),
});

const corrections = agent("corrections@1", { accepts: Correction, handle: (one, ctx) => ctx.complete(one) });

export const pressOffice = team("press", [desk, planner, reporter, editor, critic, polisher, corrections], {
  loops: ["polisher>critic", "critic>polisher"],
});
