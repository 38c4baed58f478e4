export { armCrashPoint, crashPoint, strikeLine } from "./crash-point.ts";
export { CRASH_POINTS } from "./points.ts";
export type { CrashPointName } from "./points.ts";
