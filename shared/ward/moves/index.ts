export {
  claimCase,
  postponeCase,
  restartCase,
  discardCase,
  restoreCase,
  dropDecision,
  quarantineCase,
} from "./change-status.ts";
export { dischargeCase } from "./discharge.ts";
export type { Remedy } from "./discharge.ts";
export { healedAnswersOf, RELEASED_STEP, withoutHealedAnswers } from "./healed-answers.ts";
export { healingRecipe, spentOn } from "./operation.ts";
export type { Attempt, OperationRecord, ProcedureName } from "./operation.ts";
export { verifyDischarge } from "./verify-discharge.ts";
