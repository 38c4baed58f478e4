export { checkBudget, checkLimits, earlier, TTL_MS_DEFAULT, TTL_MS_MAX } from "./limits.ts";
export { BudgetExceededError, ExpiredError } from "./limit-errors.ts";
