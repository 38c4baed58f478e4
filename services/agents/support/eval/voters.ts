import { agent, readPrompt, team } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import { majorityVote } from "#shared/patterns/ensemble";
import { SupportEmail } from "../contracts.ts";
import { splitEmail } from "../reading/split-email.ts";
import { SeverityVote } from "../technical/answer.ts";
import { countVotes, normaliseSeverity } from "../technical/count-votes.ts";
import { voteByImpact, voteByUrgency, voteByWorkaround } from "../rehearsal/votes.ts";
import { TriageAnswer } from "../triage/answer.ts";
import { routeEmail } from "../rehearsal/triage.ts";
import { readEmail } from "../triage/read-email.ts";

const TECHNICAL_PROMPT = new URL("../technical/prompt.md", import.meta.url);
const TRIAGE_PROMPT = new URL("../triage/prompt.md", import.meta.url);

/** The sides from which the team's own ensemble looks, in its order. */
const SIDES = [
  { side: "impact", standIn: voteByImpact },
  { side: "urgency", standIn: voteByUrgency },
  { side: "workaround", standIn: voteByWorkaround },
] as const;

/** Voters that differ in nothing else differ by this; the first is as careful as the team's own. */
const TEMPERATURES = [0, 0.4, 0.7, 1, 1.2] as const;

/** The severity of an issue by the majority of so many voters, and nothing else. Ties as the team decides them. */
export function weighBy(voters: number): Team {
  const panel = Array.from({ length: voters }, (_, turn) => ({ ...turnOf(SIDES, turn), turn }));
  const weigh = agent(`weigh-by-${voters}@1`, {
    accepts: SupportEmail,
    answers: [SeverityVote],
    standIns: Object.fromEntries(panel.map(({ standIn, turn }) => [`severity-${turn + 1}`, standIn])),
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
        normalise: (vote) => normaliseSeverity(String(vote)) ?? String(vote),
        onTie: countVotes,
      });
      return ctx.complete({ decided: { severity: label } });
    },
  });
  return team(`support-severity-by-${voters}`, [weigh]);
}

/** The category of an e-mail by the majority of so many routers, and nothing else. Of equals the first. */
export function sortBy(voters: number): Team {
  const steps = Array.from({ length: voters }, (_, turn) => `route-${turn + 1}`);
  const sort = agent(`sort-by-${voters}@1`, {
    accepts: SupportEmail,
    tier: "router",
    answers: [TriageAnswer],
    standIns: Object.fromEntries(steps.map((step) => [step, routeEmail])),
    handle: async (email, ctx) => {
      const { label } = await majorityVote(ctx, {
        step: "route",
        instructions: readPrompt(TRIAGE_PROMPT, "route"),
        input: readEmail(email),
        answers: TriageAnswer,
        voters: steps.map((_, turn) => ({ temperature: turnOf(TEMPERATURES, turn) })),
        vote: ({ requests: [first] }) => first?.route ?? "",
        normalise: String,
        onTie: "first",
      });
      return ctx.complete({ decided: { category: label } });
    },
  });
  return team(`support-category-by-${voters}`, [sort]);
}

function turnOf<One>(all: readonly One[], turn: number): One {
  const one = all[turn % all.length];
  if (one === undefined) throw new RangeError("there is nobody to take turns");
  return one;
}
