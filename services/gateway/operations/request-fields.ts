import type { FastifyRequest } from "fastify";
import { uuidv7 } from "#shared/clock";
import { RequestInvalidError } from "#shared/http";
import type { StartedRun } from "../runs/start-run.ts";

/** The answer to whatever starts a run. */
export function toStarted(run: StartedRun): Pick<StartedRun, "run_id" | "trace_id" | "message_id"> & {
  readonly status_url: string;
} {
  const { run_id, trace_id, message_id } = run;
  return { run_id, trace_id, message_id, status_url: `/v1/runs/${run_id}` };
}

const KEY = /^[\x21-\x7e]{1,255}$/;

/** The client's key for repeats; null for none. @throws {RequestInvalidError} */
export function idempotencyKeyOf(request: FastifyRequest): string | null {
  const header = request.headers["idempotency-key"];
  if (header === undefined) return null;
  if (typeof header === "string" && KEY.test(header)) return header;
  throw new RequestInvalidError([
    {
      path: "/headers/idempotency-key",
      code: "invalid_format",
      message: `1 to 255 printable ASCII characters without spaces, for example ${uuidv7()}`,
    },
  ]);
}

const TRACESTATE = /^[\x20-\x7e]{0,512}$/;

/** The caller's `tracestate`, which only goes with a `traceparent`; "" where there is none that can be kept. */
export function tracestateOf(request: Pick<FastifyRequest, "headers">): string {
  const header = request.headers["tracestate"];
  const isKept =
    typeof header === "string" && request.headers["traceparent"] !== undefined && TRACESTATE.test(header);
  return isKept ? header : "";
}
