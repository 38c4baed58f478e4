import { QUALIFYING_SCORE } from "../sales/agent.ts";
import type { ScoreInput } from "../sales/answer.ts";
import { scoreLead } from "../rehearsal/sales.ts";
import type { VoteInput } from "../technical/answer.ts";
import type { Severity } from "../technical/count-votes.ts";
import { voteByImpact } from "../rehearsal/votes.ts";
import type { Decision, TriageInput } from "../triage/answer.ts";
import { routeEmail } from "../rehearsal/triage.ts";

/** As the runtime gives it to stand-ins; these draw nothing. */
type Random = () => number;

// The team's own stand-ins with the types of what they take and give, which a StandIn hides.
const route = routeEmail as (input: TriageInput, random: Random) => { readonly decision: Decision };
const weigh = voteByImpact as (input: VoteInput, random: Random) => { readonly severity: Severity };
const score = scoreLead as (input: ScoreInput, random: Random) => { readonly score: number };

export function readDecision(input: TriageInput, random: Random): Decision {
  return route(input, random).decision;
}

export function readSeverity(text: string, random: Random): Severity {
  return weigh({ symptoms: [], text }, random).severity;
}

/** A lead as far as it was read. */
type Lead = { readonly [Name in keyof ScoreInput]?: ScoreInput[Name] | undefined };

export function readQualified(lead: Lead & Pick<ScoreInput, "text">, random: Random): boolean {
  const { company = null, seats = null, budget = null, text } = lead;
  return score({ company, seats, budget, text }, random).score > QUALIFYING_SCORE;
}
