export { earlier, TTL_MS_DEFAULT, TTL_MS_MAX } from "./expiry.ts";
export { BudgetExceededError, ExpiredError } from "./limit-errors.ts";
export { checkBudget, checkLimits } from "./limits.ts";
