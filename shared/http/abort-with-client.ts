import type { FastifyReply } from "fastify";

/** Aborted when the client is gone, the answer is sent, or the service is `stopping`, on which nothing is left. */
export function abortWithClient(reply: FastifyReply, stopping: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  stopping.addEventListener("abort", abort, { once: true });
  reply.raw.once("close", () => {
    stopping.removeEventListener("abort", abort);
    abort();
  });
  if (stopping.aborted) abort();
  return controller.signal;
}
