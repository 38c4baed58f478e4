export { runServices } from "./run-services.ts";
export type { RunningService, Service } from "./run-services.ts";
