export {
  BudgetExceededError,
  checkBudget,
  checkLimits,
  earlier,
  ExpiredError,
  TTL_MS_DEFAULT,
  TTL_MS_MAX,
} from "./limits.ts";
