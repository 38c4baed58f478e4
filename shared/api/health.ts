import { z } from "zod";
import { queueDepthSchema } from "#shared/store/queues";
import { equationSchema } from "#shared/store/upkeep";
import { READERS } from "./fields.ts";
import { get } from "./operation.ts";
import type { DeclaredApi } from "./operation.ts";

const readinessSchema = z.object({
  status: z.enum([
    "ready",
    "degraded",
    "stopping",
    "store_unreachable",
    "replicas_missing",
    "store_full",
    "queues_full",
    "ward_full",
    "queue_damaged",
    "agents_missing",
  ]),
  parts: z.array(z.object({ part: z.string(), state: z.enum(["ok", "failed"]), detail: z.string() })),
});

const statsSchema = z.object({
  equation: equationSchema,
  audit: z
    .object({
      done_at: z.string().nullable(),
      lost: z.array(
        z.object({ run_id: z.string(), message_id: z.string(), agent: z.string(), since: z.string() }),
      ),
      differs: z.array(z.object({ status: z.string(), counted: z.int(), listed: z.int() })),
      relisted: z.int(),
      expired: z.int(),
    })
    .meta({
      description:
        "What was counted independently of the counters: the end of the last complete pass, messages that nothing holds, " +
        "statuses whose counter and list differ, and messages put back into their queues or ended as expired so far.",
    }),
  waiting: z.object({ queue: z.int(), retry: z.int(), ward: z.int(), quarantine: z.int() }).meta({
    description:
      "queue, retry: messages in the agents' queues now. ward, quarantine: runs that only wait there.",
  }),
  runs: z.record(z.string(), z.int()).meta({ description: "Runs by status." }),
  queues: z.array(
    z.object({
      agent: z.string(),
      lane: z.enum(["fresh", "retry"]),
      ...queueDepthSchema.omit({ is_paused: true }).shape,
    }),
  ),
  inbox: z.int().meta({ description: "Dead messages that no surgeon has taken in yet." }),
});

/** The answer of `GET /v1/stats`. */
export type Stats = z.output<typeof statsSchema>;

export const LIVENESS = {
  showLiveness: {
    ...get("/healthz", null),
    summary: "Whether the process lives",
    answers: { 200: z.object({ status: z.literal("ok") }) },
  },
} as const satisfies DeclaredApi;

export const HEALTH = {
  showReadiness: {
    ...get("/readyz", null),
    summary: "Whether it takes tasks, and what work needs",
    answers: { 200: readinessSchema, 503: readinessSchema },
  },
  showMetrics: {
    ...get("/metrics", READERS),
    summary: "Metrics for Prometheus",
    answers: { 200: "text/plain" },
  },
  showStats: {
    ...get("/v1/stats", READERS),
    summary: "Show the conservation equation and where everything waits",
    answers: { 200: statsSchema },
  },
} as const satisfies DeclaredApi;
