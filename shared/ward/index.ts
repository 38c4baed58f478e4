export { admitCase, OPERATIONS_MAX, REROUTES_MAX } from "./admit.ts";
export { ADMISSION_LIMITS } from "./case.ts";
export type { CaseAdmission, CaseSubject, Producer } from "./case.ts";
export { openAdmission } from "./read-admission.ts";
