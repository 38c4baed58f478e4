export { decide } from "./decide.ts";
export type { Decision, DecisionKind, Proposal } from "./decision.ts";
export { isAnotherPerson } from "./decision.ts";
export { verifyDecision, verifyProposal } from "./sign-decision.ts";
export { signedRecipes } from "./sign-recipe.ts";
export { findStale, markCarriedOut } from "./once-only.ts";
