import { z } from "zod";
import { idField, READERS } from "./fields.ts";
import { hopSchema, runParams } from "./runs.ts";
import { get } from "./operation.ts";
import type { DeclaredApi } from "./operation.ts";

/** Steps of one page. */
const STEPS_LIMIT_MAX = 100;

/**
 * State of a shown value. `whole`: as it is, but for what is masked. `cut`: its beginning; ask for the step alone to
 * get all of it. `partly_kept`: its beginning, all that was recorded. `none`: there is none. `not_recorded`: by an
 * older release, or because it is held nowhere. `gone`: kept no more. `unverified`: its receiver has not verified its
 * seal (yet). `unreadable`: damaged. `withheld`: the key may not see it.
 */
const CONTENT_STATES = [
  "whole",
  "cut",
  "partly_kept",
  "none",
  "not_recorded",
  "gone",
  "unverified",
  "unreadable",
  "withheld",
] as const;

const contentSchema = z.object({
  state: z.enum(CONTENT_STATES),
  chars: z.int().nullable().meta({ description: "Length as JSON text; null where it is not known." }),
  value: z.unknown().meta({ description: "The value, where the state is `whole`; else null." }),
  text: z
    .string()
    .nullable()
    .meta({ description: "Beginning of the JSON text, where the state is `cut` or `partly_kept`." }),
  contract: z.string().nullable().meta({ description: "What the value claims to be; null: no contract." }),
});

export type Content = z.output<typeof contentSchema>;

const conversationSchema = z
  .object({
    turns_sent: z.int(),
    turns_used: z.int(),
    chars_sent: z.int(),
    chars_used: z.int(),
  })
  .meta({ description: "The conversation, before and after: compressed where it became shorter." });

/** One step of a run. Times RFC 3339; cost in USD. */
export const runStepSchema = z.object({
  step_id: z.string(),
  kind: z.enum(["delivery", "model", "tool", "step", "effect", "handoff", "replacement"]).meta({
    description:
      "delivery: one delivery of a message to an agent. model: a call of a model. tool: a tool that a model called. step: a recorded `ctx.step`. effect: a `ctx.once`. handoff: a message that was sent on. replacement: the message that took a dead one's place.",
  }),
  name: z.string().nullable().meta({ description: "Of a step, a model call or an effect." }),
  agent: z.string().nullable(),
  message_id: z.string(),
  hop: z.int().nullable(),
  attempt: z.int().nullable(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  ms: z.number().nullable(),
  tokens: z.number().nullable(),
  cost: z.number().nullable(),
  model: z.string().nullable(),
  round: z
    .string()
    .nullable()
    .meta({ description: "Of a model call: t1 and on with tools, then 1 for an answer, 2 asked again." }),
  outcome: z.string().nullable(),
  failure: hopSchema.shape.failure,
  to: z
    .object({ message_id: z.string(), agent: z.string() })
    .nullable()
    .meta({ description: "Of a handoff or a replacement: the message that it made." }),
  instructions: contentSchema.meta({ description: "Of a model call: for operators and admins alone." }),
  problems: z.string().nullable().meta({ description: "Of a call that asked again: what was wrong." }),
  input: contentSchema,
  output: contentSchema,
  conversation: conversationSchema.nullable(),
});

export type RunStep = z.output<typeof runStepSchema>;

export const RUN_STEPS = {
  listRunSteps: {
    ...get("/v1/runs/:run_id/steps", READERS),
    summary: "Show what passed between the steps of a run",
    params: runParams,
    query: z.object({
      limit: z.coerce.number().pipe(z.int().min(1).max(STEPS_LIMIT_MAX)).default(20),
      cursor: z
        .string()
        .regex(/^\d{1,6}\.\d{1,6}$/)
        .exactOptional()
        .meta({ description: "next_cursor of the page before." }),
    }),
    answers: {
      200: z.object({
        run_id: z.string(),
        steps: z.array(runStepSchema),
        is_masked: z
          .boolean()
          .meta({ description: "What contracts mark as sensitive is not shown to this key." }),
        next_cursor: z.string().nullable().meta({ description: "Null at the end." }),
      }),
    },
    problems: ["not_found"],
  },
  showRunStep: {
    ...get("/v1/runs/:run_id/steps/:step_id", READERS),
    summary: "Show one step of a run with its values uncut",
    params: runParams.extend({ step_id: idField }),
    answers: { 200: runStepSchema },
    problems: ["not_found"],
  },
} as const satisfies DeclaredApi;
