export { openSystem } from "./open-system.ts";
export { openTeam } from "./open-team.ts";
export type { OpenTeam, OpenTeamOptions, TestFailure, TestRun } from "./open-team.ts";
export type { TestAnswer } from "./open-team.ts";
