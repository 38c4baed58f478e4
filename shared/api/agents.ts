import { z } from "zod";
import { producerRateSchema, RATE_SPANS } from "#shared/store/feedback";
import { queueDepthSchema } from "#shared/store/queues";
import { agentParams, detailField, OPERATORS, optionalWhyBody, READERS, VIEWERS } from "./fields.ts";
import { get, post } from "./operation.ts";
import type { DeclaredApi } from "./operation.ts";

/** A process that works for an agent. */
const presenceSchema = z.object({
  instance: z.string(),
  version: z.int(),
  pid: z.int(),
  concurrency: z.int(),
  state: z
    .enum(["working", "held"])
    .meta({ description: "held: takes no work, because its clock differs from that of Redis." }),
  restarts: z.int().meta({ description: "Consumers of its process that were silent and started anew." }),
  waits_for_model: z.object({ model: z.string(), reason: z.string(), since: z.string() }).nullable().meta({
    description:
      "Set while the circuit of its model is open: messages that need the model wait. Reason configuration: a setting has to be corrected.",
  }),
  started_at: z.string(),
  seen_at: z.string(),
});

export const agentSchema = z.object({
  agent: z.string(),
  id: z
    .string()
    .meta({ description: "name@version as declared here; of the newest live process where none is." }),
  team: z.string(),
  description: z.string(),
  accepts: z.string(),
  hands_to: z.array(z.string()),
  capabilities: z.array(z.string()),
  outside: z.boolean().meta({ description: "Whether POST /v1/handoffs reaches it." }),
  declared: z.boolean(),
  live: z.array(presenceSchema),
});

const edgeSchema = z.object({
  from: z.string(),
  to: z.string(),
  contract: z.string(),
  handoff_types: z.array(z.string()),
  loop: z.boolean(),
  fallbacks: z.array(z.string()),
});

export const AGENTS = {
  listAgents: {
    ...get("/v1/agents", READERS),
    summary: "List agents, declared and live",
    answers: { 200: z.object({ agents: z.array(agentSchema) }) },
  },
} as const satisfies DeclaredApi;

export const TEAMS = {
  listTeams: {
    ...get("/v1/teams", READERS),
    summary: "List teams with their graphs",
    answers: {
      200: z.object({
        teams: z.array(
          z.object({
            team: z.string(),
            description: z.string(),
            entry: z.string(),
            entry_contract: z.string(),
            agents: z.array(z.string()),
            edges: z.array(edgeSchema),
            contracts: z.array(z.string()),
            preferences: detailField.meta({ description: "JSON Schema of the preferences of its users." }),
            constraints: detailField.meta({ description: "JSON Schema of the constraints of its tasks." }),
            mermaid: z.string().meta({ description: "The graph as Mermaid text." }),
          }),
        ),
      }),
    },
  },
  showApi: {
    ...get("/v1/openapi.json", READERS),
    summary: "Show this description with the contracts of the teams that the key may use",
    answers: { 200: "application/json" },
  },
  showContract: {
    ...get("/v1/contracts/:contract", READERS),
    summary: "Show a contract as JSON Schema",
    params: z.object({ contract: z.string().max(256).meta({ description: "name@version" }) }),
    answers: { 200: "application/schema+json" },
    problems: ["not_found"],
  },
} as const satisfies DeclaredApi;

/** One lane of one agent. Counts are jobs. */
export const laneSchema = z.object({
  agent: z.string(),
  lane: z.enum(["fresh", "retry", "ward"]),
  ...queueDepthSchema.shape,
});

const lanesSchema = z.object({ queues: z.array(laneSchema) });

function queueOrder<Kind extends string>(kind: Kind, summary: string) {
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
  pauseQueue: queueOrder("pause", "Stop giving out messages to an agent; what is in hand ends"),
  resumeQueue: queueOrder("resume", "Give out messages to an agent again"),
} as const satisfies DeclaredApi;

export const PRODUCERS = {
  listRates: {
    ...get("/v1/producers", VIEWERS),
    summary: "List producers by how much of what they make is malformed, the worst first",
    query: z.strictObject({ span: z.enum(RATE_SPANS).default("hour") }),
    answers: {
      200: z.object({
        span: z.enum(RATE_SPANS),
        producers: z.array(producerRateSchema),
      }),
    },
  },
} as const satisfies DeclaredApi;
