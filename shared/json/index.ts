export { escapeStep, isContainer, isRecord, kept, pointerStep, stepsOf } from "./json.ts";
export type { JsonSchema } from "./json.ts";
