import { z } from "zod";
import { operation } from "../operation.ts";
import { judgeReadiness } from "../runs/judge-readiness.ts";
import { PART_STATES, UNREADY } from "../runs/readiness.ts";

/** Whether to send tasks here: 200 for `ready` and `degraded`, 503 with the reason otherwise. */
export const showReadiness = operation({
  id: "showReadiness",
  summary: "Whether it takes tasks, and what work needs",
  scopes: null,
  status: 200,
  answers: z.object({
    status: z.enum(["ready", "degraded", "stopping", ...UNREADY]),
    parts: z.array(z.object({ part: z.string(), state: z.enum(PART_STATES), detail: z.string() })),
  }),
  async handle({ gateway, reply }) {
    const readiness = gateway.stopping.aborted
      ? { status: "stopping" as const, parts: [] }
      : await judgeReadiness(gateway);
    const takesTasks = readiness.status === "ready" || readiness.status === "degraded";
    if (!takesTasks) void reply.code(503).header("retry-after", "2");
    return readiness;
  },
});
