import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { uuidv7 } from "#shared/clock";
import { TTL_MS_MAX } from "#shared/envelope";
import { RequestInvalidError } from "#shared/http";
import type { StartedRun } from "../runs/start-run.ts";

/** Fields that several operations share. Bounds are those of the envelope, so that what passes here can travel. */
const SHORT_CHARS_MAX = 256;
const CONSTRAINTS_MAX = 100;
const CONSTRAINT_CHARS_MAX = 2000;
const AMOUNT_MAX = 1e12;
const HOPS_MAX = 200;
const QUERY_CHARS_MAX = 20_000;

const short = z.string().max(SHORT_CHARS_MAX);

export const userField = z
  .strictObject({
    user_id: short.nullable().exactOptional(),
    subscription_tier: short.nullable().exactOptional(),
    locale: z.string().max(64).exactOptional(),
    preferences: z.record(z.string(), z.unknown()).exactOptional(),
  })
  .meta({ description: "Travels along the whole run unchanged." });

export const budgetField = z
  .strictObject({
    cost_limit: z.number().min(0).max(AMOUNT_MAX).exactOptional().meta({ description: "USD" }),
    token_limit: z.int().min(0).exactOptional(),
  })
  .meta({ description: "At most the team's, which is the default." });

export const priorityField = z.enum(["high", "normal", "low"]);
export const constraintsField = z.array(z.string().max(CONSTRAINT_CHARS_MAX)).max(CONSTRAINTS_MAX);
export const ttlField = z.int().min(1).max(TTL_MS_MAX).nullable().meta({
  description:
    "Milliseconds until an unhandled message expires, at most 7 days and the team's own life; null: never, where the team declares no life. Default: the team's, else one day.",
});
export const hopsField = z
  .int()
  .min(0)
  .max(HOPS_MAX)
  .meta({ description: "At most the team's, which is the default." });
export const queryField = z.string().max(QUERY_CHARS_MAX);
export const nameField = z.string().min(1).max(128);

/** Any JSON value; only its absence is a fault. */
export const anyValue = z.unknown().refine((value) => value !== undefined, { error: "missing" });

export const runParams = z.object({ run_id: z.string().max(64) });

/** The answer to whatever starts a run. */
export const startedSchema = z
  .object({ run_id: z.string(), trace_id: z.string(), message_id: z.string(), status_url: z.string() })
  .meta({ description: "Accepted: nothing can lose it any more." });

export function toStarted(run: StartedRun): z.output<typeof startedSchema> {
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
export function tracestateOf(request: FastifyRequest): string {
  const header = request.headers["tracestate"];
  const isKept =
    typeof header === "string" && request.headers["traceparent"] !== undefined && TRACESTATE.test(header);
  return isKept ? header : "";
}
