import { bindOperations, CONSOLE_API } from "#shared/api";
import type { ConsoleApi } from "#shared/api";
import type { Around, Route } from "../console.ts";
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
  ...attached,
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
