import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { uuidv7 } from "#shared/clock";
import { RequestInvalidError } from "#shared/http";
import { canonical } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import type { RunDraft, StartedRun } from "../runs/start-run.ts";
import type { Caller } from "../tenancy/may-see.ts";

/** The answer to whatever starts a run. */
export function toStarted(run: StartedRun): Pick<StartedRun, "run_id" | "trace_id" | "message_id"> & {
  readonly status_url: string;
} {
  const { run_id, trace_id, message_id } = run;
  return { run_id, trace_id, message_id, status_url: `/v1/runs/${run_id}` };
}

const KEY = /^[\x21-\x7e]{1,255}$/;

/** By what a repeat of a request is known; null where the client gave no key. @throws {RequestInvalidError} */
export function idempotencyOf(
  { request, caller }: { readonly request: FastifyRequest; readonly caller: Caller },
  operation: string,
  body: unknown,
): RunDraft["idempotency"] {
  const header = request.headers["idempotency-key"];
  if (header === undefined) return null;
  if (typeof header === "string" && KEY.test(header))
    return { caller: caller?.name ?? "", key: header, digest: digestRequest(operation, body) };
  throw new RequestInvalidError([
    {
      path: "/headers/idempotency-key",
      code: "invalid_format",
      message: `1 to 255 printable ASCII characters without spaces, for example ${uuidv7()}`,
    },
  ]);
}

/** One digest for one meaning: objects with the same fields in another order are the same request. */
export function digestRequest(operation: string, body: unknown): string {
  // It was parsed from JSON, within the bounds of depth and size.
  const text = canonical(body as JsonValue);
  return createHash("sha256").update(`${operation}\n${text}`).digest("hex");
}
