import { bindOperations, GATEWAY_API } from "#shared/api";
import type { GatewayApi } from "#shared/api";
import { createTask } from "./agent-protocol/operations/create-task.ts";
import { downloadArtifact, downloadArtifactAlone } from "./agent-protocol/operations/download-artifact.ts";
import { executeStep } from "./agent-protocol/operations/execute-step.ts";
import { listTaskArtifacts } from "./agent-protocol/operations/list-artifacts.ts";
import { listSteps } from "./agent-protocol/operations/list-steps.ts";
import { listTasks } from "./agent-protocol/operations/list-tasks.ts";
import { showStep } from "./agent-protocol/operations/show-step.ts";
import { showTask } from "./agent-protocol/operations/show-task.ts";
import { uploadArtifact } from "./agent-protocol/operations/upload-artifact.ts";
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
  createAgentTask: createTask,
  listAgentTasks: listTasks,
  getAgentTask: showTask,
  listAgentTaskSteps: listSteps,
  executeAgentTaskStep: executeStep,
  getAgentTaskStep: showStep,
  listAgentTaskArtifacts: listTaskArtifacts,
  uploadAgentTaskArtifacts: uploadArtifact,
  downloadAgentTaskArtifact: downloadArtifact,
  downloadAgentArtifact: downloadArtifactAlone,
  // A Redis that is away is no reason to restart the process.
  showLiveness: async () => ({ status: "ok" }),
  showReadiness,
  showMetrics,
});
