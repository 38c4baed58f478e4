import { z } from "zod";
import { agentParams, OPERATORS, optionalWhyBody, VIEWERS } from "./fields.ts";
import { get, post } from "./operation.ts";
import type { DeclaredApi } from "./operation.ts";

/** One lane of one agent. Counts are jobs. */
export const laneSchema = z.object({
  agent: z.string(),
  lane: z.enum(["fresh", "retry", "ward"]),
  waiting: z.int(),
  active: z.int(),
  delayed: z.int(),
  failed: z.int(),
  is_paused: z.boolean(),
  damage: z
    .string()
    .nullable()
    .meta({ description: "Which keys of the queue are damaged; null for a sound one." }),
});

const lanesSchema = z.object({ queues: z.array(laneSchema) });

function order<Kind extends string>(kind: Kind, summary: string) {
  return {
    ...post(`/v1/queues/:agent/${kind}`, OPERATORS, `queue.${kind}`),
    summary,
    params: agentParams,
    body: optionalWhyBody,
    answers: { 200: lanesSchema },
    problems: ["not_found"],
  } as const;
}

export const QUEUES = {
  listQueues: {
    ...get("/v1/queues", VIEWERS),
    summary: "List queues with what waits in them",
    answers: { 200: lanesSchema },
  },
  pauseQueue: order("pause", "Stop giving out messages to an agent; what is in hand ends"),
  resumeQueue: order("resume", "Give out messages to an agent again"),
} as const satisfies DeclaredApi;
