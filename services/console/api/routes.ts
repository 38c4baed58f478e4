import type { AnyOperation } from "./operation.ts";
import { createApiKey, listApiKeys, revokeApiKey } from "./operations/api-keys.ts";
import { applyToGroup } from "./operations/apply-to-group.ts";
import { checkPayload } from "./operations/check-payload.ts";
import { approveCase, discardCase, operateCase, restoreCase } from "./operations/decide-case.ts";
import { decideApproval } from "./operations/decide-approval.ts";
import { editRecipe } from "./operations/edit-recipe.ts";
import { approveRecipe, retireRecipe } from "./operations/judge-recipe.ts";
import { listAgents } from "./operations/list-agents.ts";
import { listApplyCases } from "./operations/list-apply-cases.ts";
import { listApplies } from "./operations/list-applies.ts";
import { listAudit } from "./operations/list-audit.ts";
import { listRefusals } from "./operations/list-refusals.ts";
import { listCircuits } from "./operations/list-circuits.ts";
import { listCases } from "./operations/list-cases.ts";
import { listGroups } from "./operations/list-groups.ts";
import { listHandoffs } from "./operations/list-handoffs.ts";
import { exportPeopleAudit, listPeopleAudit } from "./operations/list-people-audit.ts";
import { listQueues } from "./operations/list-queues.ts";
import { listRates } from "./operations/list-rates.ts";
import { listRecipes } from "./operations/list-recipes.ts";
import { logIn } from "./operations/log-in.ts";
import { acknowledgeGroup, reopenGroup, resolveGroup } from "./operations/mark-group.ts";
import { logOut } from "./operations/log-out.ts";
import { revealCase } from "./operations/reveal-case.ts";
import { revealRun } from "./operations/reveal-run.ts";
import { redirectCase } from "./operations/redirect-case.ts";
import { releaseCase } from "./operations/release-case.ts";
import { showApply } from "./operations/show-apply.ts";
import { showCase } from "./operations/show-case.ts";
import { showCosts } from "./operations/show-costs.ts";
import { showGroup } from "./operations/show-group.ts";
import { showLiveness } from "./operations/show-liveness.ts";
import { showOverview } from "./operations/show-overview.ts";
import { showRecipe } from "./operations/show-recipe.ts";
import { showSession } from "./operations/show-session.ts";
import { startApply, stopApply } from "./operations/steer-apply.ts";
import { streamEvents } from "./operations/stream-events.ts";
import { closeCircuit, openCircuit } from "./operations/switch-circuit.ts";
import { tryRecipe } from "./operations/try-recipe.ts";
import { pauseQueue, resumeQueue } from "./operations/switch-queue.ts";
import { undoApply } from "./operations/undo-apply.ts";

/** One row of the table: where an operation is found. `:name` stands for one part of the path. */
export interface Route {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly operation: AnyOperation;
}

/** Everything the console can do. Each row is behind its operation's role; those of none say so themselves. */
export const ROUTES: readonly Route[] = [
  { method: "POST", path: "/api/v1/session", operation: logIn },
  { method: "GET", path: "/api/v1/session", operation: showSession },
  { method: "DELETE", path: "/api/v1/session", operation: logOut },
  { method: "GET", path: "/api/v1/overview", operation: showOverview },
  { method: "GET", path: "/api/v1/events", operation: streamEvents },
  { method: "GET", path: "/api/v1/agents", operation: listAgents },
  { method: "GET", path: "/api/v1/queues", operation: listQueues },
  { method: "POST", path: "/api/v1/queues/:agent/pause", operation: pauseQueue },
  { method: "POST", path: "/api/v1/queues/:agent/resume", operation: resumeQueue },
  { method: "GET", path: "/api/v1/producers", operation: listRates },
  { method: "GET", path: "/api/v1/handoffs", operation: listHandoffs },
  { method: "GET", path: "/api/v1/circuits", operation: listCircuits },
  { method: "POST", path: "/api/v1/circuits/:agent/open", operation: openCircuit },
  { method: "POST", path: "/api/v1/circuits/:agent/close", operation: closeCircuit },
  { method: "GET", path: "/api/v1/ward/costs", operation: showCosts },
  { method: "GET", path: "/api/v1/ward/groups", operation: listGroups },
  { method: "GET", path: "/api/v1/ward/groups/:fingerprint", operation: showGroup },
  { method: "POST", path: "/api/v1/ward/groups/:fingerprint/acknowledge", operation: acknowledgeGroup },
  { method: "POST", path: "/api/v1/ward/groups/:fingerprint/resolve", operation: resolveGroup },
  { method: "POST", path: "/api/v1/ward/groups/:fingerprint/reopen", operation: reopenGroup },
  { method: "POST", path: "/api/v1/ward/groups/:fingerprint/apply", operation: applyToGroup },
  { method: "GET", path: "/api/v1/ward/applies", operation: listApplies },
  { method: "GET", path: "/api/v1/ward/applies/:batch_id", operation: showApply },
  { method: "GET", path: "/api/v1/ward/applies/:batch_id/cases", operation: listApplyCases },
  { method: "POST", path: "/api/v1/ward/applies/:batch_id/start", operation: startApply },
  { method: "POST", path: "/api/v1/ward/applies/:batch_id/stop", operation: stopApply },
  { method: "POST", path: "/api/v1/ward/applies/:batch_id/undo", operation: undoApply },
  { method: "GET", path: "/api/v1/ward/cases", operation: listCases },
  { method: "GET", path: "/api/v1/ward/cases/:case_id", operation: showCase },
  { method: "POST", path: "/api/v1/ward/cases/:case_id/reveal", operation: revealCase },
  { method: "POST", path: "/api/v1/ward/cases/:case_id/check", operation: checkPayload },
  { method: "POST", path: "/api/v1/ward/cases/:case_id/release", operation: releaseCase },
  { method: "POST", path: "/api/v1/ward/cases/:case_id/approve", operation: approveCase },
  { method: "POST", path: "/api/v1/ward/cases/:case_id/approval", operation: decideApproval },
  { method: "POST", path: "/api/v1/ward/cases/:case_id/discard", operation: discardCase },
  { method: "POST", path: "/api/v1/ward/cases/:case_id/restore", operation: restoreCase },
  { method: "POST", path: "/api/v1/ward/cases/:case_id/redirect", operation: redirectCase },
  { method: "POST", path: "/api/v1/ward/cases/:case_id/operate", operation: operateCase },
  { method: "POST", path: "/api/v1/runs/:run_id/reveal", operation: revealRun },
  { method: "GET", path: "/api/v1/recipes", operation: listRecipes },
  { method: "GET", path: "/api/v1/recipes/:recipe_id", operation: showRecipe },
  { method: "POST", path: "/api/v1/recipes/:recipe_id/try", operation: tryRecipe },
  { method: "POST", path: "/api/v1/recipes/:recipe_id/approve", operation: approveRecipe },
  { method: "POST", path: "/api/v1/recipes/:recipe_id/edit", operation: editRecipe },
  { method: "POST", path: "/api/v1/recipes/:recipe_id/retire", operation: retireRecipe },
  { method: "GET", path: "/api/v1/api-keys", operation: listApiKeys },
  { method: "POST", path: "/api/v1/api-keys", operation: createApiKey },
  { method: "POST", path: "/api/v1/api-keys/:name/revoke", operation: revokeApiKey },
  { method: "GET", path: "/api/v1/audit", operation: listAudit },
  { method: "GET", path: "/api/v1/audit/people", operation: listPeopleAudit },
  { method: "GET", path: "/api/v1/audit/people/records", operation: exportPeopleAudit },
  { method: "GET", path: "/api/v1/refusals", operation: listRefusals },
  { method: "GET", path: "/healthz", operation: showLiveness },
];
