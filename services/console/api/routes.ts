import { bindOperations, CONSOLE_API } from "#shared/api";
import type { ConsoleApi } from "#shared/api";
import { findAttached } from "../attached/attached-queues.ts";
import type { Around, Route } from "../console.ts";
import { ROLES } from "./guards/caller.ts";
import * as agents from "./operations/agents.ts";
import * as apiKeys from "./operations/api-keys.ts";
import * as attached from "./operations/attached.ts";
import * as batches from "./operations/batches.ts";
import * as cases from "./operations/cases.ts";
import * as groups from "./operations/groups.ts";
import * as overview from "./operations/overview.ts";
import * as recipes from "./operations/recipes.ts";
import * as runs from "./operations/runs.ts";
import * as session from "./operations/session.ts";

/** What an attached queue carries out in the place of the ward, by operation. */
const BY_QUEUE = new Map(
  bindOperations<Pick<ConsoleApi, keyof typeof attached>, Around>(CONSOLE_API, { ...attached })
    .filter(({ operation }) => operation.id in attached)
    .map(({ operation }) => [operation.id, operation.handle]),
);

/** Everything the console can do. Each row is behind the least role of its scopes; those for anyone have none. */
export const ROUTES: readonly Route[] = bindOperations<ConsoleApi, Around>(CONSOLE_API, {
  ...attached,
  ...session,
  ...overview,
  ...agents,
  ...groups,
  ...batches,
  ...cases,
  ...runs,
  ...recipes,
  ...apiKeys,
  // A Redis that is away is no reason to restart the process.
  showLiveness: async () => ({ status: "ok" }),
}).map((route) => {
  const { id, scopes, handle } = route.operation;
  const byQueue = BY_QUEUE.get(id) ?? handle;
  const bySource: typeof handle = (call) => (findAttached(call) === null ? handle(call) : byQueue(call));
  return {
    ...route,
    operation: { ...route.operation, handle: bySource },
    role: scopes === null ? null : (ROLES.find((role) => scopes.includes(role)) ?? "admin"),
  };
});
