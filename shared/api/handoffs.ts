import { z } from "zod";
import { RATE_SPANS } from "#shared/store/feedback";
import { READERS, SUBMITTERS } from "./fields.ts";
import {
  anyValue,
  budgetField,
  priorityField,
  START_PROBLEMS,
  startedSchema,
  ttlField,
  userField,
} from "./runs.ts";
import { get, post } from "./operation.ts";
import type { DeclaredApi } from "./operation.ts";

const AGENT = /^[a-z][a-z0-9-]{0,62}(@[1-9]\d{0,5})?$/;
const CONTRACT = /^[a-z][a-z0-9-]*(\.[a-z][a-z0-9_-]*)*@[1-9]\d{0,5}$/;
const QUERY_CHARS_MAX = 20_000;

export const SENT_HANDOFFS = {
  sendHandoff: {
    ...post("/v1/handoffs", SUBMITTERS),
    summary: "Send a payload to one agent that takes payloads from outside",
    body: z.strictObject({
      target_agent: z.string().regex(AGENT).meta({
        description:
          "Name, or name@version of an agent that is declared with `outside: true`; see GET /v1/agents.",
      }),
      contract: z.string().max(256).regex(CONTRACT).meta({ description: "What data_payload claims to be." }),
      data_payload: anyValue.meta({
        description: "Any JSON; a string is the raw text of a producer that writes no JSON.",
      }),
      handoff_type: z.string().max(64).exactOptional().meta({
        description: "One that the matrix has for this agent; see GET /v1/handoffs. Default: the usual one.",
      }),
      user: userField.exactOptional(),
      original_query: z.string().max(QUERY_CHARS_MAX).exactOptional(),
      priority: priorityField.exactOptional(),
      ttl_ms: ttlField.exactOptional(),
      budget: budgetField.exactOptional(),
      on_invalid: z.enum(["reject", "ward"]).default("reject").meta({
        description:
          "reject: 422 with pointers. ward: accepted as it is; the agent finds it invalid, the surgeon repairs it.",
      }),
    }),
    answers: { 202: startedSchema },
    problems: START_PROBLEMS,
  },
} as const satisfies DeclaredApi;

export const HANDOFFS = {
  listHandoffs: {
    ...get("/v1/handoffs", READERS),
    summary: "List the matrix of handoffs with their rates",
    query: z.object({ span: z.enum(RATE_SPANS).default("hour") }),
    answers: {
      200: z.object({
        span: z.enum(RATE_SPANS),
        teams: z.array(z.object({ team: z.string(), entry: z.string(), agents: z.array(z.string()) })),
        handoffs: z.array(
          z.object({
            team: z
              .string()
              .nullable()
              .meta({ description: "Null: counted, and declared by no team loaded here." }),
            from: z.string(),
            to: z.string(),
            handoff_type: z.string(),
            contract: z.string(),
            loop: z.boolean().meta({ description: "A run may go back along it." }),
            done: z.int(),
            failed: z.int(),
            success_rate: z.number().nullable().meta({ description: "0 to 1; null where none has ended." }),
            is_declared: z.boolean(),
          }),
        ),
        mermaid: z.string().meta({ description: "What is declared, as Mermaid text." }),
      }),
    },
  },
} as const satisfies DeclaredApi;
