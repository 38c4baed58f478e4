import { z } from "zod";
import { CIRCUIT_STATES, RATE_SPANS } from "#shared/store/feedback";
import { agentParams, OPERATORS, optionalWhyBody, VIEWERS } from "./fields.ts";
import { get, post } from "./operation.ts";
import type { DeclaredApi } from "./operation.ts";

/** A producer's circuit breaker, with the counts it was last judged by. */
export const circuitSchema = z.object({
  agent: z.string(),
  state: z.enum(CIRCUIT_STATES),
  generation: z.int(),
  changed_ms: z.number(),
  until_ms: z.number().nullable(),
  held_by: z.string().nullable(),
  outputs: z.int(),
  malformed: z.int(),
  reaction: z.string(),
});

const circuitViewSchema = circuitSchema.extend({
  declared: z
    .object({
      threshold: z.number(),
      outputs_min: z.number(),
      window_ms: z.number(),
      cooldown_ms: z.number(),
      trial_share: z.number(),
      trial_outputs: z.number(),
    })
    .nullable()
    .meta({ description: "What its team declares; null where no team that is loaded here has the agent." }),
  counted: z
    .object({ outputs: z.int(), malformed: z.int() })
    .meta({ description: "What it is judged by now." }),
});

function order<Kind extends string>(kind: Kind, summary: string) {
  return {
    ...post(`/v1/circuits/:agent/${kind}`, OPERATORS, `circuit.${kind}`),
    summary,
    params: agentParams,
    body: optionalWhyBody,
    answers: { 200: circuitSchema },
    problems: ["not_found", "changed_meanwhile"],
  } as const;
}

export const CIRCUITS = {
  listRates: {
    ...get("/v1/producers", VIEWERS),
    summary: "List producers by how much of what they make is malformed, the worst first",
    query: z.strictObject({ span: z.enum(RATE_SPANS).default("hour") }),
    answers: {
      200: z.object({
        span: z.enum(RATE_SPANS),
        producers: z.array(
          z.object({
            agent: z.string(),
            contract: z.string(),
            model: z.string().nullable(),
            prompt_version: z.string().nullable(),
            outputs: z.int(),
            malformed: z.int(),
            rate: z.number(),
            trend: z.object({ outputs: z.array(z.int()), malformed: z.array(z.int()) }),
          }),
        ),
      }),
    },
  },
  listCircuits: {
    ...get("/v1/circuits", VIEWERS),
    summary: "List the circuits of all agents",
    answers: { 200: z.object({ circuits: z.array(circuitViewSchema) }) },
  },
  openCircuit: order("open", "Have an agent replaced or paused, as its team declares, until it is closed"),
  closeCircuit: order("close", "Have an agent work as usual again"),
} as const satisfies DeclaredApi;
