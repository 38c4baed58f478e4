import { agent, readPrompt, team } from "#shared/runtime";
import type { StandIn } from "#shared/runtime";
import { SupportEmail } from "../contracts.ts";
import type { Decision, TriageInput } from "../triage/answer.ts";
import { OneAnswer } from "./contracts.ts";
import { readEmail } from "../triage/read-email.ts";
import { isQualified } from "./is-qualified.ts";
import { decideEmail } from "../rehearsal/triage.ts";
import { voteByImpact } from "../rehearsal/votes.ts";

const PROMPTS = new URL("prompts.md", import.meta.url);

/** Reads as the stand-ins of the team's agents do, each once. */
const answerAll: StandIn = (input: TriageInput) => {
  const decision = decideEmail(input);
  const { text } = input;
  const { route, language, summary } = decision;
  return {
    category: route,
    ...pickFound(decision),
    ...(route === "technical" ? { severity: voteByImpact({ symptoms: [], text }).severity } : {}),
    ...(route === "sales" ? { qualified: isQualified({ ...decision, text }) } : {}),
    language,
    subject: `Re: ${input.subject}`.slice(0, 300),
    body: summary,
  };
};

function pickFound(decision: Decision): object {
  const found = ["order_id", "amount", "kind"].map((name) => [name, Reflect.get(decision, name)] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

/** One call that does the whole job, with none of the team's tools: what a pipeline has to be better than. */
const onePrompt = agent("one-prompt@1", {
  accepts: SupportEmail,
  answers: [OneAnswer],
  standIns: { answer: answerAll },
  handle: async (email, ctx) => {
    const { language, subject, body, ...decided } = await ctx.model("answer", {
      instructions: readPrompt(PROMPTS, "one-prompt"),
      input: readEmail(email),
      answers: OneAnswer,
      temperature: 0,
    });
    return ctx.complete({ status: "answered", language, subject, body, decided });
  },
});

export const onePromptTeam = team("support-single-call", [onePrompt]);
