export { showInput } from "./recorded-input.ts";
export { stepAccountSchema } from "./step-account.ts";
export type { StepAccount } from "./step-account.ts";
