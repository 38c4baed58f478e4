import { bindOperations, GATEWAY_API } from "#shared/api";
import type { GatewayApi } from "#shared/api";
import { agentProtocol } from "./agent-protocol/operations.ts";
import type { Around, GatewayRoute } from "./gateway.ts";
import * as blobs from "./operations/blobs.ts";
import * as overview from "./operations/overview.ts";
import * as runs from "./operations/runs.ts";
import * as submit from "./operations/submit.ts";

/** Everything the gateway can do. Nothing is reachable that is not declared, and nothing declared is unguarded. */
export const ROUTES: readonly GatewayRoute[] = bindOperations<GatewayApi, Around>(GATEWAY_API, {
  ...submit,
  ...runs,
  ...blobs,
  ...overview,
  ...agentProtocol,
  // A Redis that is away is no reason to restart the process.
  showLiveness: async () => ({ status: "ok" }),
});
