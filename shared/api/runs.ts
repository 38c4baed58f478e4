import { z } from "zod";
import { HOPS_MAX } from "#shared/envelope";
import { TTL_MS_MAX } from "#shared/envelope/limits";
import { RUN_STATUSES } from "#shared/store/runs";
import {
  ADMINS,
  detailField,
  idField,
  nameField,
  OPERATORS,
  optionalWhy,
  READERS,
  SUBMITTERS,
  whyField,
} from "./fields.ts";
import { get, post } from "./operation.ts";
import type { DeclaredApi } from "./operation.ts";
import { streamedEventSchema } from "./run-events.ts";
import { conversationField, webhookField } from "./task-fields.ts";

/** Bounds are those of the envelope, so that what passes here can travel. */
const SHORT_CHARS_MAX = 256;
const CONSTRAINTS_MAX = 100;
const CONSTRAINT_CHARS_MAX = 2000;
const AMOUNT_MAX = 1e12;
const LIMIT_MAX = 200;
const WAIT_SECONDS_MAX = 60;

const short = z.string().max(SHORT_CHARS_MAX);

export const userField = z
  .strictObject({
    user_id: short.nullable().exactOptional(),
    subscription_tier: short
      .nullable()
      .exactOptional()
      .meta({ description: "Taken from keys with the scope operator or admin; null from others." }),
    locale: z.string().max(64).exactOptional(),
    preferences: detailField
      .meta({ description: "As GET /v1/teams says that the team takes them; others are refused." })
      .exactOptional(),
  })
  .meta({ description: "Travels along the whole run unchanged." });

export const budgetField = z
  .strictObject({
    cost_limit: z.number().min(0).max(AMOUNT_MAX).exactOptional().meta({ description: "USD" }),
    token_limit: z.int().min(0).exactOptional(),
  })
  .meta({ description: "At most the team's, which is the default." });

export const priorityField = z.enum(["high", "normal", "low"]);
export const ttlField = z.int().min(1).max(TTL_MS_MAX).nullable().meta({
  description:
    "Milliseconds until an unhandled message expires, at most 7 days and the team's own life; null: never, where the team declares no life. Default: the team's, else one day.",
});

/** Any JSON value; only its absence is a fault. */
export const anyValue = z.unknown().refine((value) => value !== undefined, { error: "missing" });

export const runParams = z.object({ run_id: z.string().max(64) });
const statusField = z.enum(RUN_STATUSES);

/** The answer to whatever starts a run. */
export const startedSchema = z
  .object({ run_id: z.string(), trace_id: z.string(), message_id: z.string(), status_url: z.string() })
  .meta({ description: "Accepted: nothing can lose it any more." });

/** Problems of what starts a run. */
export const START_PROBLEMS = [
  "queues_full",
  "store_full",
  "ward_full",
  "queue_damaged",
  "quota_exceeded",
  "idempotency_conflict",
  "acceptance_unknown",
  "acceptance_unconfirmed",
] as const;

/** A run in a list. Costs in USD. */
const runSummarySchema = z.object({
  run_id: z.string(),
  trace_id: z.string(),
  team: z.string(),
  status: statusField,
  created_at: z.string(),
  ended_at: z.string().nullable(),
  billing: z.object({ cost_so_far: z.number(), tokens_consumed: z.number(), currency: z.string() }),
  /** Messages of the run that are not closed, by who holds them. */
  waiting: z.object({ open: z.int(), in_ward: z.int(), quarantined: z.int() }),
  unreadable: z
    .array(z.string())
    .exactOptional()
    .meta({ description: "Fields of the run's record that cannot be read. Absent: none." }),
});

export type RunSummary = z.output<typeof runSummarySchema>;

/** One message's way through one agent, over all its deliveries. Times RFC 3339; cost in USD. */
export const hopSchema = z.object({
  message_id: z.string(),
  agent: z.string().nullable(),
  /** Handoffs between agents before this one. */
  hop: z.int().nullable(),
  /** Deliveries so far. */
  attempt: z.int(),
  /** The contract that its payload claims, `name@version`. */
  contract: z.string().nullable(),
  /** Times at which its sender sealed it and an agent first took it; the gap between them is `waited_ms`. */
  sent_at: z.string().nullable(),
  accepted_at: z.string().nullable(),
  waited_ms: z.number().nullable(),
  /** Time at which its latest delivery was settled; null while none was. */
  ended_at: z.string().nullable(),
  /** Milliseconds of work over all deliveries. */
  ms: z.number(),
  tokens: z.number(),
  cost: z.number(),
  /** Model of the latest answer; null while none has answered. */
  model: z.string().nullable(),
  /** Type of the latest event that settled something; null while none did. */
  outcome: z.string().nullable(),
  /** Of the latest failure, where that is what settled it: class, code and where in the payload. */
  failure: z.object({ class: z.string(), code: z.string(), paths: z.array(z.string()) }).nullable(),
  /** Messages it led to. */
  next: z.array(z.object({ message_id: z.string(), agent: z.string() })),
});

export type Hop = z.output<typeof hopSchema>;

/** An event of a run. */
export const runEventSchema = z.object({
  id: z.string(),
  run_id: z.string(),
  type: z.string(),
  at: z.string(),
  message_id: z.string().nullable(),
  agent: z.string().nullable(),
  detail: detailField,
});

/** A run in full. */
const runSchema = runSummarySchema.extend({
  result: z.unknown().meta({ description: "`[sensitive]` where the key may not see it." }),
  error: z.unknown(),
  rehearsed: z
    .boolean()
    .meta({ description: "Stand-ins answered in a model's place: no result of a model." }),
  hops: z.array(hopSchema),
  events: z.array(runEventSchema).exactOptional().meta({ description: "Where they were asked for." }),
});

/** Operations of both the gateway and the console. */
export const RUNS_SEEN = {
  listRuns: {
    ...get("/v1/runs", READERS),
    summary: "List runs, newest first",
    query: z.object({
      status: statusField.exactOptional(),
      team: nameField.exactOptional(),
      limit: z.coerce.number().int().min(1).max(LIMIT_MAX).default(50),
      cursor: z.string().max(200).exactOptional().meta({ description: "next_cursor of the page before." }),
    }),
    answers: {
      200: z.object({
        runs: z.array(runSummarySchema),
        next_cursor: z
          .string()
          .nullable()
          .meta({ description: "Null at the end. A short page may still have a next one." }),
      }),
    },
  },
  showRun: {
    ...get("/v1/runs/:run_id", READERS),
    summary: "Show a run, at once or when it has ended",
    params: runParams,
    query: z.object({
      wait: z.coerce
        .number()
        .min(0)
        .max(WAIT_SECONDS_MAX)
        .default(0)
        .meta({ description: "Seconds to wait for the end." }),
      include: z.enum(["events"]).exactOptional().meta({ description: "What is shown beside its hops." }),
    }),
    answers: { 200: runSchema },
    problems: ["not_found", "too_many_waiters"],
  },
  cancelRun: {
    ...post("/v1/runs/:run_id/cancel", OPERATORS, "run.cancel"),
    summary: "Cancel a run",
    params: runParams,
    answers: { 200: runSummarySchema },
    problems: ["not_found"],
  },
  replayRun: {
    ...post("/v1/runs/:run_id/replay", OPERATORS, "run.replay"),
    summary: "Run again from a recorded message",
    params: runParams,
    body: z
      .strictObject({
        message_id: z
          .string()
          .max(64)
          .exactOptional()
          .meta({ description: "Default: the run's first message." }),
        data_payload: z.unknown().optional().meta({ description: "Default: the recorded one." }),
        why: optionalWhy,
      })
      .prefault({}),
    answers: { 202: startedSchema },
    problems: ["not_found", "message_not_verifiable", "no_gateway", ...START_PROBLEMS],
  },
} as const satisfies DeclaredApi;

export const RUNS = {
  ...RUNS_SEEN,
  submitTask: {
    ...post("/v1/tasks", SUBMITTERS),
    summary: "Submit a task to a team",
    body: z.strictObject({
      team: nameField,
      input: anyValue.meta({ description: "What the contract of the team's first agent asks for." }),
      user: userField.exactOptional(),
      conversation: conversationField.exactOptional(),
      priority: priorityField.exactOptional(),
      constraints: z
        .union([z.array(z.string().max(CONSTRAINT_CHARS_MAX)).max(CONSTRAINTS_MAX), detailField])
        .meta({
          description:
            "By name, as GET /v1/teams says that the team takes them; deadline, max_cost_usd and forbidden_actions by all teams. Or as texts: name=value with the value as JSON; any other text is one of `words`.",
        })
        .exactOptional(),
      budget: budgetField.exactOptional(),
      ttl_ms: ttlField.exactOptional(),
      max_hops: z
        .int()
        .min(0)
        .max(HOPS_MAX)
        .meta({ description: "At most the team's, which is the default." })
        .exactOptional(),
      webhook: webhookField.exactOptional(),
    }),
    answers: { 202: startedSchema },
    problems: START_PROBLEMS,
  },
  streamRunEvents: {
    ...get("/v1/runs/:run_id/events", READERS),
    summary: "Follow a run's events",
    params: runParams,
    query: z.object({
      format: z.enum(["plain", "cloudevents"]).default("plain").meta({
        description:
          "What `data` of each event is: as in GET /v1/runs/{run_id}, or a CloudEvent 1.0 around it.",
      }),
    }),
    answers: { 200: "text/event-stream", 204: null },
    each: streamedEventSchema,
    problems: ["not_found", "too_many_waiters"],
  },
} as const satisfies DeclaredApi;

export const REVEALED_RUNS = {
  revealRun: {
    ...post("/v1/runs/:run_id/reveal", ADMINS, "run.reveal"),
    summary: "Show what a run came to as its owner sees it",
    params: z.object({ run_id: idField }),
    body: z.strictObject({ why: whyField }),
    answers: {
      200: z.object({
        run_id: z.string(),
        team: z.string(),
        status: statusField,
        result: z.unknown(),
        error: z.unknown(),
        events: z.array(runEventSchema),
      }),
    },
    problems: ["not_found"],
  },
} as const satisfies DeclaredApi;
