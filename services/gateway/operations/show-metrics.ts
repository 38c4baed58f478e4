import { METRICS_CONTENT_TYPE } from "#shared/telemetry";
import type { Handler } from "../operation.ts";
import { requireTotals } from "../tenancy/may-see.ts";

export const showMetrics: Handler<"showMetrics"> = async ({ gateway, reply, caller }) => {
  requireTotals(caller);
  return reply.type(METRICS_CONTENT_TYPE).send(await gateway.metrics.render());
};
