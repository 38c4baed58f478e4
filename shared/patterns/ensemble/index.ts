export type { Ballot, Question, SynthesisOptions, Voter } from "./synthesise.ts";
export { bestOf, rubric } from "./best-of.ts";
export type { Best, BestOfOptions, Criterion, Rubric } from "./best-of.ts";
export { majorityVote, normaliseVote } from "./majority-vote.ts";
export type { MajorityVoteOptions, Verdict } from "./majority-vote.ts";
export { synthesise } from "./synthesise.ts";
