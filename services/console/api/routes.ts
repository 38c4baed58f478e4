import { bindOperations, CONSOLE_API } from "#shared/api";
import type { ConsoleApi } from "#shared/api";
import { ROLES } from "./guards/role.ts";
import type { Around, Route } from "./operation.ts";
import { createApiKey, listApiKeys, revokeApiKey } from "./operations/api-keys.ts";
import {
  applyToAttachedGroup,
  stopAttachedApply,
  undoAttachedBatch,
} from "./operations/apply-to-attached.ts";
import { applyToGroup } from "./operations/apply-to-group.ts";
import { checkPayload } from "./operations/check-payload.ts";
import {
  checkAttachedData,
  editAttachedJob,
  redriveAttachedJob,
  undoAttachedEdit,
} from "./operations/decide-attached.ts";
import { approveCase, discardCase, operateCase, restoreCase } from "./operations/decide-case.ts";
import { decideApproval } from "./operations/decide-approval.ts";
import { editRecipe } from "./operations/edit-recipe.ts";
import { approveRecipe, retireRecipe } from "./operations/judge-recipe.ts";
import { listAgents } from "./operations/list-agents.ts";
import { listApplyCases } from "./operations/list-apply-cases.ts";
import { listApplies } from "./operations/list-applies.ts";
import { listAttached, listAttachedAudit, listAttachedCases } from "./operations/list-attached.ts";
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
import { listRunSteps, showRunStep } from "./operations/list-run-steps.ts";
import { revealCase } from "./operations/reveal-case.ts";
import { revealRun } from "./operations/reveal-run.ts";
import { redirectCase } from "./operations/redirect-case.ts";
import { releaseCase } from "./operations/release-case.ts";
import { showApply } from "./operations/show-apply.ts";
import { showCase } from "./operations/show-case.ts";
import { showCosts } from "./operations/show-costs.ts";
import { showGroup } from "./operations/show-group.ts";
import { showOverview } from "./operations/show-overview.ts";
import { showRecipe } from "./operations/show-recipe.ts";
import { showSession } from "./operations/show-session.ts";
import { startApply, stopApply } from "./operations/steer-apply.ts";
import { streamEvents } from "./operations/stream-events.ts";
import { closeCircuit, openCircuit } from "./operations/switch-circuit.ts";
import { tryRecipe } from "./operations/try-recipe.ts";
import { pauseQueue, resumeQueue } from "./operations/switch-queue.ts";
import { undoApply } from "./operations/undo-apply.ts";

/** Everything the console can do. Each row is behind the least role of its scopes; those for anyone have none. */
export const ROUTES: readonly Route[] = bindOperations<ConsoleApi, Around>(CONSOLE_API, {
  logIn,
  showSession,
  logOut,
  showOverview,
  streamEvents,
  listAgents,
  listQueues,
  pauseQueue,
  resumeQueue,
  listRates,
  listHandoffs,
  listCircuits,
  openCircuit,
  closeCircuit,
  showCosts,
  listGroups,
  showGroup,
  acknowledgeGroup,
  resolveGroup,
  reopenGroup,
  applyToGroup,
  listApplies,
  showApply,
  listApplyCases,
  startApply,
  stopApply,
  undoApply,
  listCases,
  showCase,
  revealCase,
  checkPayload,
  releaseCase,
  approveCase,
  decideApproval,
  discardCase,
  restoreCase,
  redirectCase,
  operateCase,
  revealRun,
  listRunSteps,
  showRunStep,
  listRecipes,
  showRecipe,
  tryRecipe,
  approveRecipe,
  editRecipe,
  retireRecipe,
  listAttached,
  listAttachedCases,
  checkAttachedData,
  editAttachedJob,
  redriveAttachedJob,
  applyToAttachedGroup,
  stopAttachedApply,
  undoAttachedEdit,
  undoAttachedBatch,
  listAttachedAudit,
  listApiKeys,
  createApiKey,
  revokeApiKey,
  listAudit,
  listPeopleAudit,
  exportPeopleAudit,
  listRefusals,
  // A Redis that is away is no reason to restart the process.
  showLiveness: async () => ({ status: "ok" }),
}).map((route) => {
  const { scopes } = route.operation;
  return {
    ...route,
    role: scopes === null ? null : (ROLES.find((role) => scopes.includes(role)) ?? "admin"),
  };
});
