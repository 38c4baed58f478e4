import type { Handler } from "../operation.ts";
import { judgeReadiness } from "../runs/judge-readiness.ts";

/** Whether to send tasks here: 200 for `ready` and `degraded`, 503 with the reason otherwise. */
export const showReadiness: Handler<"showReadiness"> = async ({ gateway, reply }) => {
  const readiness = gateway.stopping.aborted
    ? { status: "stopping" as const, parts: [] }
    : await judgeReadiness(gateway);
  const takesTasks = readiness.status === "ready" || readiness.status === "degraded";
  if (!takesTasks) void reply.code(503).header("retry-after", "2");
  return readiness;
};
