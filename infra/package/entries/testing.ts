export { openTeam } from "#shared/testing/system";
export type { OpenTeam, OpenTeamOptions, TestAnswer, TestRun } from "#shared/testing/system";
