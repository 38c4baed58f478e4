export { escapeHidden, visible } from "./hidden.ts";
export { escapeStep, isContainer, isRecord, kept, pointerStep, readJson, stepsOf } from "./json.ts";
export type { JsonSchema } from "./json.ts";
