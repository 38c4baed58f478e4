export { addEndedRuns } from "./add-ended-runs.ts";
export { itWithPostgres, openTestArchive, startPostgres } from "./start-postgres.ts";
export type { TestPostgres } from "./start-postgres.ts";
