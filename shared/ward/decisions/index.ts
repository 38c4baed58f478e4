export { decide, decisionsFor, findSecondPersonProblem } from "./decide.ts";
export type { Decision, DecisionKind, Proposal } from "./decision.ts";
export { DECISION_KINDS, decisionSchema, proposalSchema } from "./decision.ts";
export { decline, propose } from "./propose.ts";
export { groupBatches } from "./group-cases.ts";
export { proveByHand } from "./prove-by-hand.ts";
