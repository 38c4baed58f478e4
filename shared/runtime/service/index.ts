export { runServices, saidByServicesSchema } from "./run-services.ts";
export type { Service } from "./run-services.ts";
