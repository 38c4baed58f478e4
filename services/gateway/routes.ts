import { bindOperations, GATEWAY_API } from "#shared/api";
import type { GatewayApi } from "#shared/api";
import { agentProtocol } from "./agent-protocol/operations.ts";
import type { Around, GatewayRoute } from "./operation.ts";
import { cancelRun } from "./operations/cancel-run.ts";
import { listAgents } from "./operations/list-agents.ts";
import { listHandoffs } from "./operations/list-handoffs.ts";
import { listRuns } from "./operations/list-runs.ts";
import { listRunSteps } from "./operations/list-run-steps.ts";
import { listTeams } from "./operations/list-teams.ts";
import { readBlob } from "./operations/read-blob.ts";
import { replayRun } from "./operations/replay-run.ts";
import { sendHandoff } from "./operations/send-handoff.ts";
import { showApi } from "./operations/show-api.ts";
import { showContract } from "./operations/show-contract.ts";
import { showMetrics } from "./operations/show-metrics.ts";
import { showReadiness } from "./operations/show-readiness.ts";
import { showRun } from "./operations/show-run.ts";
import { showRunStep } from "./operations/show-run-step.ts";
import { showStats } from "./operations/show-stats.ts";
import { storeBlob } from "./operations/store-blob.ts";
import { streamRunEvents } from "./operations/stream-run-events.ts";
import { submitTask } from "./operations/submit-task.ts";

/** Everything the gateway can do. Nothing is reachable that is not declared, and nothing declared is unguarded. */
export const ROUTES: readonly GatewayRoute[] = bindOperations<GatewayApi, Around>(GATEWAY_API, {
  submitTask,
  sendHandoff,
  listHandoffs,
  listRuns,
  showRun,
  listRunSteps,
  showRunStep,
  streamRunEvents,
  cancelRun,
  replayRun,
  storeBlob,
  readBlob,
  listAgents,
  listTeams,
  showApi,
  showContract,
  showStats,
  ...agentProtocol,
  // A Redis that is away is no reason to restart the process.
  showLiveness: async () => ({ status: "ok" }),
  showReadiness,
  showMetrics,
});
