import { bindOperations, GATEWAY_API } from "#shared/api";
import type { GatewayApi } from "#shared/api";
import { agentProtocol } from "./agent-protocol/operations.ts";
import type { Around, GatewayRoute } from "./operation.ts";
import { listRuns } from "./operations/list-runs.ts";
import { listTeams } from "./operations/list-teams.ts";
import { readBlob } from "./operations/read-blob.ts";
import { replayRun } from "./operations/replay-run.ts";
import { sendHandoff } from "./operations/send-handoff.ts";
import { showRun } from "./operations/show-run.ts";
import {
  cancelRun,
  listAgents,
  listHandoffs,
  listRunSteps,
  showApi,
  showContract,
  showMetrics,
  showReadiness,
  showRunStep,
  showStats,
} from "./operations/short-operations.ts";
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
