export { showInput } from "./shown-input.ts";
export { stepAccountSchema } from "./step-account.ts";
export type { StepAccount } from "./step-account.ts";
