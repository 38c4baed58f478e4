export { listRuns, readCursor, writeCursor } from "./list-runs.ts";
export { deriveHops, newHop, summarise, viewRun, viewRuns } from "./view-run.ts";
