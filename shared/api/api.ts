import { AGENT_PROTOCOL } from "./agent-protocol.ts";
import { API_KEYS, SESSION } from "./access.ts";
import { AUDIT } from "./audit.ts";
import { BATCHES } from "./batches.ts";
import { BLOBS } from "./blobs.ts";
import { CASES } from "./cases.ts";
import { AGENTS, PRODUCERS, QUEUES, TEAMS } from "./agents.ts";
import { GROUPS } from "./groups.ts";
import { HANDOFFS, SENT_HANDOFFS } from "./handoffs.ts";
import { HEALTH, LIVENESS } from "./health.ts";
import { MAINTENANCE } from "./maintenance.ts";
import { OVERVIEW } from "./overview.ts";
import { RECIPES } from "./recipes.ts";
import { RUN_STEPS } from "./run-steps.ts";
import { SEARCH } from "./search.ts";
import { REVEALED_RUNS, RUNS, RUNS_SEEN } from "./runs.ts";
import { WEBHOOKS } from "./webhooks.ts";

/** Operations of the gateway. */
export const GATEWAY_API = {
  ...RUNS,
  ...RUN_STEPS,
  ...SENT_HANDOFFS,
  ...HANDOFFS,
  ...BLOBS,
  ...AGENTS,
  ...TEAMS,
  ...AGENT_PROTOCOL,
  ...HEALTH,
  ...LIVENESS,
};

/** Operations of the console. Those of both are declared once. */
export const CONSOLE_API = {
  ...SESSION,
  ...OVERVIEW,
  ...SEARCH,
  ...AGENTS,
  ...QUEUES,
  ...MAINTENANCE,
  ...HANDOFFS,
  ...PRODUCERS,
  ...GROUPS,
  ...BATCHES,
  ...CASES,
  ...RUNS_SEEN,
  ...REVEALED_RUNS,
  ...RUN_STEPS,
  ...RECIPES,
  ...API_KEYS,
  ...WEBHOOKS,
  ...AUDIT,
  ...LIVENESS,
};

export type GatewayApi = typeof GATEWAY_API;
export type ConsoleApi = typeof CONSOLE_API;
