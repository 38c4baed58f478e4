export { FAILURE_CLASSES, PAYLOAD_FAILURES, RUN_LIMITS, SEVERITIES } from "./failure-class.ts";
export type { Failure, FailureClass, Issue, Severity } from "./failure-class.ts";
export { codeOf, defineError, SutureError } from "./suture-error.ts";
export type { SutureErrorInit } from "./suture-error.ts";
export { loadPackage, PackageMissingError } from "./load-package.ts";
