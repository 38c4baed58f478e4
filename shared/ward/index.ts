export type { CaseAdmission, CaseSubject, Producer } from "./case.ts";
export { ADMISSION_LIMITS } from "./case.ts";
