export { openTeam } from "#shared/testing/system";
export type { OpenTeam, OpenTeamOptions, TestAnswer, TestFailure, TestRun } from "#shared/testing/system";
