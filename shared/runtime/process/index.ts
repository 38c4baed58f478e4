export { every, applyPauses } from "./upkeep.ts";
export { openHealth } from "./open-health.ts";
export { openKeyFile } from "./key-file.ts";
export { loadTeams } from "../define/load-teams.ts";
export { shareCircuits } from "./share-circuits.ts";
export { drain, startAgents } from "./start-agents.ts";
export type { RunningAgents } from "./start-agents.ts";
