import type { FastifyReply } from "fastify";

/**
 * A signal for work on an answer: aborted when the client is gone, the answer is sent, or the service stops.
 * @param stopping - Aborted when the service begins to stop. It outlives requests, so that nothing is left on it.
 */
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
