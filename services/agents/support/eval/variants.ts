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
    const {
      language: written,
      subject,
      body,
      ...found
    } = await ctx.model("answer", {
      instructions: readPrompt(PROMPTS, "one-prompt"),
      input: readEmail(email),
      answers: OneAnswer,
      temperature: 0,
    });
    return ctx.complete({ status: "answered", language: written, subject, body, decided: found });
  },
});

const onePromptTeam = team("support-single-call", [onePrompt]);

const TECHNICAL_PROMPT = new URL("../technical/prompt.md", import.meta.url);

/** The sides from which the team's own ensemble looks, in its order. */
const SIDES = ["impact", "urgency", "workaround"] as const;

/** Voters that differ in nothing else differ by this; the first is as careful as the team's own. */
const TEMPERATURES = [0, 0.4, 0.7, 1, 1.2] as const;

/** The severity of an issue by the majority of so many voters, and nothing else. Ties as the team decides them. */
function weighBy(voters: number): Team {
  const panel = Array.from({ length: voters }, (_, turn) => ({ side: turnOf(SIDES, turn), turn }));
  const weigh = agent(`weigh-by-${voters}@1`, {
    accepts: SupportEmail,
    answers: [SeverityVote],
    standIns: Object.fromEntries(
      panel.map(({ side, turn }) => [`severity-${turn + 1}`, standIns[`severity-${side}`]]),
    ),
    handle: async (email, ctx) => {
      const { label } = await majorityVote(ctx, {
        step: "severity",
        instructions: "",
        input: { symptoms: [], text: splitEmail(email.body).own },
        answers: SeverityVote,
        voters: panel.map(({ side, turn }) => ({
          instructions: readPrompt(TECHNICAL_PROMPT, side),
          // A side that is asked again is asked more freely.
          ...(turn < SIDES.length ? {} : { temperature: turnOf(TEMPERATURES, turn) }),
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

function turnOf<One>(all: readonly One[], turn: number): One {
  const one = all[turn % all.length];
  if (one === undefined) throw new RangeError("there is nobody to take turns");
  return one;
}

/** As many as the source asks to be measured. */
const VOTERS = [1, 2, 3, 5] as const;

const variants: readonly Variant[] = [
  {
    name: "single-call",
    description: "One prompt that does the whole job, with no tools.",
    team: onePromptTeam,
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
