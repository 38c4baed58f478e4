import { AGENT_PROTOCOL_ROUTES } from "./agent-protocol/routes.ts";
import type { GatewayRoute } from "./operation.ts";
import { cancelRun } from "./operations/cancel-run.ts";
import { listAgents } from "./operations/list-agents.ts";
import { listHandoffs } from "./operations/list-handoffs.ts";
import { listRuns } from "./operations/list-runs.ts";
import { listTeams } from "./operations/list-teams.ts";
import { readBlob } from "./operations/read-blob.ts";
import { replayRun } from "./operations/replay-run.ts";
import { sendHandoff } from "./operations/send-handoff.ts";
import { showContract } from "./operations/show-contract.ts";
import { showLiveness } from "./operations/show-liveness.ts";
import { showMetrics } from "./operations/show-metrics.ts";
import { showReadiness } from "./operations/show-readiness.ts";
import { showRun } from "./operations/show-run.ts";
import { showStats } from "./operations/show-stats.ts";
import { storeBlob } from "./operations/store-blob.ts";
import { streamRunEvents } from "./operations/stream-run-events.ts";
import { submitTask } from "./operations/submit-task.ts";

/** Everything the gateway can do. Nothing is reachable that is not in this table, and nothing in it is unguarded. */
export const ROUTES: readonly GatewayRoute[] = [
  { method: "POST", path: "/v1/tasks", operation: submitTask },
  { method: "POST", path: "/v1/handoffs", operation: sendHandoff },
  { method: "GET", path: "/v1/handoffs", operation: listHandoffs },
  { method: "GET", path: "/v1/runs", operation: listRuns },
  { method: "GET", path: "/v1/runs/:run_id", operation: showRun },
  { method: "GET", path: "/v1/runs/:run_id/events", operation: streamRunEvents },
  { method: "POST", path: "/v1/runs/:run_id/cancel", operation: cancelRun },
  { method: "POST", path: "/v1/runs/:run_id/replay", operation: replayRun },
  { method: "POST", path: "/v1/blobs", operation: storeBlob },
  { method: "GET", path: "/v1/blobs/:id", operation: readBlob },
  { method: "GET", path: "/v1/agents", operation: listAgents },
  { method: "GET", path: "/v1/teams", operation: listTeams },
  { method: "GET", path: "/v1/contracts/:contract", operation: showContract },
  { method: "GET", path: "/v1/stats", operation: showStats },
  ...AGENT_PROTOCOL_ROUTES,
  { method: "GET", path: "/healthz", operation: showLiveness },
  { method: "GET", path: "/readyz", operation: showReadiness },
  { method: "GET", path: "/metrics", operation: showMetrics },
];
