import { bindOperations, CONSOLE_API } from "#shared/api";
import type { ConsoleApi } from "#shared/api";
import { findAttached } from "../attached/attached-queues.ts";
import type { Around, Handler, Route } from "../console.ts";
import { ROLES } from "./guards/caller.ts";
import * as agents from "./operations/agents.ts";
import * as apiKeys from "./operations/api-keys.ts";
import * as attached from "./operations/attached.ts";
import * as audit from "./operations/audit.ts";
import * as batches from "./operations/batches.ts";
import * as cases from "./operations/cases.ts";
import * as groups from "./operations/groups.ts";
import * as overview from "./operations/overview.ts";
import * as recipes from "./operations/recipes.ts";
import * as runs from "./operations/runs.ts";
import * as session from "./operations/session.ts";

/** Has an attached queue carry out what is about it, and the ward everything else. */
function bySource<Id extends keyof ConsoleApi>(own: Handler<Id>, other: Handler<Id>): Handler<Id> {
  return (call) => (findAttached(call) === null ? own(call) : other(call));
}

/** Everything the console can do. Each row is behind the least role of its scopes; those for anyone have none. */
export const ROUTES: readonly Route[] = bindOperations<ConsoleApi, Around>(CONSOLE_API, {
  ...session,
  ...overview,
  ...agents,
  ...groups,
  ...batches,
  ...cases,
  ...runs,
  ...recipes,
  listSources: attached.listSources,
  listGroups: bySource(groups.listGroups, attached.listGroups),
  showGroup: bySource(groups.showGroup, attached.showGroup),
  listCases: bySource(cases.listCases, attached.listCases),
  showCase: bySource(cases.showCase, attached.showCase),
  checkPayload: bySource(cases.checkPayload, attached.checkPayload),
  releaseCase: bySource(cases.releaseCase, attached.releaseCase),
  operateCase: bySource(cases.operateCase, attached.operateCase),
  restoreCase: bySource(cases.restoreCase, attached.restoreCase),
  applyToGroup: bySource(batches.applyToGroup, attached.applyToGroup),
  listApplies: bySource(batches.listApplies, attached.listApplies),
  showApply: bySource(batches.showApply, attached.showApply),
  listApplyCases: bySource(batches.listApplyCases, attached.listApplyCases),
  startApply: bySource(batches.startApply, attached.startApply),
  stopApply: bySource(batches.stopApply, attached.stopApply),
  undoApply: bySource(batches.undoApply, attached.undoApply),
  ...apiKeys,
  ...audit,
  // A Redis that is away is no reason to restart the process.
  showLiveness: async () => ({ status: "ok" }),
}).map((route) => {
  const { scopes } = route.operation;
  return {
    ...route,
    role: scopes === null ? null : (ROLES.find((role) => scopes.includes(role)) ?? "admin"),
  };
});
