export { isRecord } from "./is-record.ts";
export type { JsonSchema } from "./json-schema.ts";
export { escapeStep, pointerStep, stepsOf } from "./pointer.ts";
