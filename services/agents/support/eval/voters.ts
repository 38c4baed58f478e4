import { agent, readPrompt, team } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import { majorityVote } from "#shared/patterns/ensemble";
import { SupportEmail } from "../contracts.ts";
import { splitEmail } from "../read-email.ts";
import { standIns } from "../rehearsal/stand-ins.ts";
import { SeverityVote, countVotes } from "../technical/answer.ts";
import type { Severity } from "../technical/answer.ts";

const TECHNICAL_PROMPT = new URL("../technical/prompt.md", import.meta.url);

/** The sides from which the team's own ensemble looks, in its order. */
const SIDES = ["impact", "urgency", "workaround"] as const;

/** Voters that differ in nothing else differ by this; the first is as careful as the team's own. */
const TEMPERATURES = [0, 0.4, 0.7, 1, 1.2] as const;

/** The severity of an issue by the majority of so many voters, and nothing else. Ties as the team decides them. */
export function weighBy(voters: number): Team {
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
