import { z } from "zod";
import { agent, readPrompt, team } from "#shared/runtime";
import type { Team, Variant } from "#shared/runtime";
import { contract } from "#shared/contract";
import { majorityVote } from "#shared/patterns/ensemble";
import { SupportEmail, decided } from "../contracts.ts";
import { readEmail, splitEmail } from "../read-email.ts";
import { language } from "../contract-fields.ts";
import { standIns } from "../rehearsal/stand-ins.ts";
import { SeverityVote, countVotes } from "../technical/agent.ts";
import type { Severity } from "../technical/agent.ts";

const OneAnswer = contract(
  "eval.one-answer@1",
  z.object({
    ...decided.omit({ score: true, reason: true }).shape,
    language,
    subject: z.string().min(1).max(300),
    body: z.string().min(1).max(5000).meta({ "x-surgeon-writes": true }),
  }),
  { description: "Everything that a help desk decides about an e-mail, and the answer to it." },
);

const PROMPTS = new URL("prompts.md", import.meta.url);

const NO_MODEL = { category: "escalation", language: "other", subject: "No model is set", body: "Not read." };

/** One call that does the whole job, with none of the team's tools: what a pipeline has to be better than. */
const onePrompt = agent("one-prompt@1", {
  accepts: SupportEmail,
  answers: [OneAnswer],
  standIns: { answer: () => NO_MODEL },
  handle: async (email, ctx) => {
    const answer = await ctx.model("answer", {
      instructions: readPrompt(PROMPTS, "one-prompt"),
      input: readEmail(email),
      answers: OneAnswer,
      temperature: 0,
    });
    const { language: written, subject, body, ...found } = answer;
    return ctx.complete({ status: "answered", language: written, subject, body, decided: found });
  },
});

const TECHNICAL_PROMPT = new URL("../technical/prompt.md", import.meta.url);

/** The team's own ensemble looks from the first three sides. A side that is asked again is asked more freely. */
const PANEL = [
  { side: "impact" },
  { side: "urgency" },
  { side: "workaround" },
  { side: "impact", temperature: 1 },
  { side: "urgency", temperature: 1.2 },
] as const;

/** The severity of an issue by the majority of so many voters, and nothing else. Ties as the team decides them. */
function weighBy(voters: number): Team {
  const panel = PANEL.slice(0, voters);
  const weigh = agent(`weigh-by-${voters}@1`, {
    accepts: SupportEmail,
    answers: [SeverityVote],
    standIns: Object.fromEntries(
      panel.map(({ side }, turn) => [`severity-${turn + 1}`, standIns[`severity-${side}`]]),
    ),
    handle: async (email, ctx) => {
      const { label } = await majorityVote(ctx, {
        step: "severity",
        instructions: "",
        input: { symptoms: [], text: splitEmail(email.body).text },
        answers: SeverityVote,
        voters: panel.map(({ side, ...freely }) => ({
          instructions: readPrompt(TECHNICAL_PROMPT, side),
          ...freely,
        })),
        vote: ({ severity }) => severity,
        normalise: String,
        // Votes of the contract are severities.
        onTie: (votes) => countVotes(votes as [Severity, ...Severity[]]),
      });
      return ctx.complete({ decided: { severity: label } });
    },
  });
  return team(`support-severity-by-${voters}`, [weigh]);
}

/** As many as the source asks to be measured. */
const VOTERS = [1, 2, 3, 5] as const;

const variants: readonly Variant[] = [
  {
    name: "single-call",
    description: "One prompt that does the whole job, with no tools.",
    team: team("support-single-call", [onePrompt]),
    judged: ["/decided"],
  },
  ...VOTERS.map((voters): Variant => {
    const against = voters === 1 ? {} : { against: "severity-by-1" };
    return {
      name: `severity-by-${voters}`,
      description: `The severity by the majority of ${voters}.`,
      team: weighBy(voters),
      judged: ["/decided/severity"],
      ...against,
    };
  }),
];

export default variants;
