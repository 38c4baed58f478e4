export { listRuns, readCursor, writeCursor } from "./list-runs.ts";
export { deriveHops, newHop, summarise, viewRun } from "./view-run.ts";
