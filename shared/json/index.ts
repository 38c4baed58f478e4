export { isRecord } from "./is-record.ts";
export { escapeStep, pointerStep, stepsOf } from "./pointer.ts";
