export { SENSITIVE_MASK, concealIn } from "./run-mask.ts";
export { NO_MASK, maskForTeam } from "./run-mask.ts";
export type { RunMask } from "./run-mask.ts";
export { concealingLogger } from "./run-mask.ts";
export { Concealer, scalarsIn } from "./sensitive/concealer.ts";
export { hasSensitive, mapSensitive, sensitiveValues } from "./sensitive/map-sensitive.ts";
