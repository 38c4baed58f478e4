export { isContainer, isRecord } from "./is-record.ts";
export type { JsonSchema } from "./json-schema.ts";
export { kept } from "./kept.ts";
export { parseJson } from "./parse-json.ts";
export { escapeStep, pointerStep, stepsOf } from "./pointer.ts";
