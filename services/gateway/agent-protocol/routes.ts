import type { GatewayRoute } from "../operation.ts";
import { createTask } from "./operations/create-task.ts";
import { downloadArtifact, downloadArtifactAlone } from "./operations/download-artifact.ts";
import { executeStep } from "./operations/execute-step.ts";
import { listTaskArtifacts } from "./operations/list-artifacts.ts";
import { listSteps } from "./operations/list-steps.ts";
import { listTasks } from "./operations/list-tasks.ts";
import { showStep } from "./operations/show-step.ts";
import { showTask } from "./operations/show-task.ts";
import { uploadArtifact } from "./operations/upload-artifact.ts";

/** Where version 1 of the Agent Protocol has its addresses. */
const BASE = "/ap/v1/agent";

/** Where its draft had them, and the source documents have them: the same operations. */
const DRAFT = "/agent/";

/** The Agent Protocol over the same runs, behind the same guards. */
export const AGENT_PROTOCOL_ROUTES: readonly GatewayRoute[] = [
  { method: "POST", path: `${BASE}/tasks`, operation: createTask },
  { method: "GET", path: `${BASE}/tasks`, operation: listTasks },
  { method: "GET", path: `${BASE}/tasks/:task_id`, operation: showTask },
  { method: "GET", path: `${BASE}/tasks/:task_id/steps`, operation: listSteps },
  { method: "POST", path: `${BASE}/tasks/:task_id/steps`, operation: executeStep },
  { method: "GET", path: `${BASE}/tasks/:task_id/steps/:step_id`, operation: showStep },
  { method: "GET", path: `${BASE}/tasks/:task_id/artifacts`, operation: listTaskArtifacts },
  { method: "POST", path: `${BASE}/tasks/:task_id/artifacts`, operation: uploadArtifact },
  { method: "GET", path: `${BASE}/tasks/:task_id/artifacts/:artifact_id`, operation: downloadArtifact },
  { method: "GET", path: `${BASE}/artifacts/:artifact_id`, operation: downloadArtifactAlone },
];

/** The address of version 1 for an address of the draft; every other one as it is. */
export function rewriteDraftUrl(url: string): string {
  return url.startsWith(DRAFT) ? `${BASE}/${url.slice(DRAFT.length)}` : url;
}

/** Whether the sender of a request speaks the protocol, and so reads errors in its form. */
export function isOfAgentProtocol(url: string): boolean {
  return url.startsWith(`${BASE}/`);
}
