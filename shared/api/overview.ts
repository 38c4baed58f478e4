import { z } from "zod";
import { findingSchema } from "#shared/doctor";
import { CASE_STATUSES } from "#shared/store/cases";
import { modelCostSchema, RATE_SPANS } from "#shared/store/feedback";
import { equationSchema } from "#shared/store/upkeep";
import { agentSchema, laneSchema } from "./agents.ts";
import { ADMINS, VIEWERS } from "./fields.ts";
import { get } from "./operation.ts";
import type { DeclaredApi } from "./operation.ts";

const limitsSchema = z.object({
  cost_per_case: z.number(),
  cost_per_hour: z.number(),
  cost_per_group: z.number(),
});

const heldSchema = z
  .object({ since_ms: z.number(), until_ms: z.number(), refusals: z.int() })
  .nullable()
  .meta({ description: "What the hour's limit holds back; null where it does not." });

const overviewSchema = z.object({
  at: z.string(),
  equation: equationSchema,
  runs: z.record(z.string(), z.int()).meta({ description: "Runs by status." }),
  ward: z.record(z.enum(CASE_STATUSES), z.int()),
  queues: z.array(laneSchema),
  agents: z.array(agentSchema),
  surgery_limits: limitsSchema,
  surgery_held: heldSchema,
});

/** All that the top of the console's page says. */
export type Overview = z.output<typeof overviewSchema>;

export const OVERVIEW = {
  showOverview: {
    ...get("/v1/overview", VIEWERS),
    summary: "Show the conservation equation, queues, agents, and what surgery costs",
    answers: { 200: overviewSchema },
  },
  streamEvents: {
    ...get("/v1/events", VIEWERS),
    summary: "Follow the overview, and when the ward's log has a new line",
    answers: { 200: "text/event-stream" },
    problems: ["too_many_streams"],
  },
  listModelCosts: {
    ...get("/v1/costs", VIEWERS),
    summary:
      "List what agents paid for model calls by team, agent, model and tenant, in USD, the dearest first",
    query: z.strictObject({ span: z.enum(RATE_SPANS).default("two_days") }),
    answers: { 200: z.object({ span: z.enum(RATE_SPANS), costs: z.array(modelCostSchema) }) },
  },
  showCosts: {
    ...get("/v1/ward/costs", VIEWERS),
    summary: "Say what surgery costs, and what it may still cost, in USD",
    answers: {
      200: z.object({
        hours: z
          .array(z.number())
          .meta({ description: "Of the last 24 hours, oldest first, the current one last." }),
        this_hour: z.number(),
        left_this_hour: z.number(),
        limits: limitsSchema,
        held: heldSchema,
      }),
    },
  },
  showDoctor: {
    ...get("/v1/doctor", ADMINS),
    summary: "Examine Redis as the console's user, and say the limits that the console was started with",
    answers: {
      200: z.object({
        findings: z.array(findingSchema),
        limits: z
          .record(z.string(), z.number())
          .meta({ description: "By name. The other services may have others." }),
      }),
    },
  },
} as const satisfies DeclaredApi;
