import { z } from "zod";
import { sleep } from "#shared/clock";
import type { Gateway } from "../gateway.ts";
import { operation } from "../operation.ts";

const ANSWER_WITHIN_MS = 1000;

/** Whether it makes sense to send tasks here: Redis answers, the queues and the ward take more, and it is not stopping. */
export const showReadiness = operation({
  id: "showReadiness",
  summary: "Whether it takes tasks",
  scopes: null,
  status: 200,
  answers: z.object({ status: z.enum(["ready", "stopping", "store_unreachable", "queues_full", "ward_full"]) }),
  async handle({ gateway, reply }) {
    const status = gateway.stopping.aborted ? "stopping" : await judge(gateway);
    if (status !== "ready") void reply.code(503).header("retry-after", "2");
    return { status };
  },
});

async function judge(gateway: Gateway): Promise<"ready" | "store_unreachable" | "queues_full" | "ward_full"> {
  const giveUp = new AbortController();
  const timeout = sleep(ANSWER_WITHIN_MS, giveUp.signal).then(
    () => "store_unreachable" as const,
    () => "store_unreachable" as const,
  );
  const answer = look(gateway).catch(() => "store_unreachable" as const);
  const status = await Promise.race([answer, timeout]);
  giveUp.abort();
  return status;
}

async function look(gateway: Gateway): Promise<"ready" | "queues_full" | "ward_full"> {
  const [waiting, isWardFull] = await Promise.all([gateway.countWaiting(), gateway.wardIsFull()]);
  if (waiting >= gateway.queueLimit) return "queues_full";
  return isWardFull ? "ward_full" : "ready";
}
