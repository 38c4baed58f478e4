export { admitCase, OPERATIONS_MAX, REROUTES_MAX } from "./admit.ts";
export type { CaseAdmission, CaseSubject, Producer } from "./case.ts";
export { ADMISSION_LIMITS, openAdmission } from "./read-admission.ts";
