import { z } from "zod";
import type { Gateway } from "../gateway.ts";
import { operation } from "../operation.ts";
import { canReachStore } from "../runs/reach-store.ts";

const UNREADY = ["store_unreachable", "replicas_missing", "queues_full", "ward_full"] as const;

/** Whether to send tasks here: Redis answers, the queues and the ward take more, and the gateway is not stopping. */
export const showReadiness = operation({
  id: "showReadiness",
  summary: "Whether it takes tasks",
  scopes: null,
  status: 200,
  answers: z.object({
    status: z.enum(["ready", "stopping", ...UNREADY]),
  }),
  async handle({ gateway, reply }) {
    const status = gateway.stopping.aborted ? "stopping" : await judge(gateway);
    if (status !== "ready") void reply.code(503).header("retry-after", "2");
    return { status };
  },
});

async function judge(gateway: Gateway): Promise<"ready" | (typeof UNREADY)[number]> {
  if (!(await canReachStore(gateway))) return "store_unreachable";
  if (!(await gateway.store.confirmation.hasReplicas())) return "replicas_missing";
  try {
    const [waiting, isWardFull] = await Promise.all([gateway.countWaiting(), gateway.wardIsFull()]);
    if (waiting >= gateway.queueLimit) return "queues_full";
    return isWardFull ? "ward_full" : "ready";
  } catch {
    return "store_unreachable";
  }
}
