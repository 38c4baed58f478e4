export { FAILURE_CLASSES, SEVERITIES } from "./failure-class.ts";
export type { Failure, FailureClass, Issue, Severity } from "./failure-class.ts";
export { SutureError } from "./suture-error.ts";
export type { SutureErrorInit } from "./suture-error.ts";
