export { armCrashPoint, crashPoint, strikeLine } from "./crash-point.ts";
export { CRASH_POINTS, WINDOWS_ELSEWHERE } from "./points.ts";
export type { CrashPointName } from "./points.ts";
