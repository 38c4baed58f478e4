import { METRICS_CONTENT_TYPE } from "#shared/telemetry";
import { operation, READERS } from "../operation.ts";
import { requireTotals } from "../tenancy/may-see.ts";

export const showMetrics = operation({
  id: "showMetrics",
  summary: "Metrics for Prometheus",
  scopes: READERS,
  status: 200,
  async handle({ gateway, reply, caller }) {
    requireTotals(caller);
    return reply.type(METRICS_CONTENT_TYPE).send(await gateway.metrics.render());
  },
});
