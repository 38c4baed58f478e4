import { z } from "zod";
import { OPERATORS, optionalWhy, VIEWERS, whyField } from "./fields.ts";
import { get, post } from "./operation.ts";
import type { DeclaredApi } from "./operation.ts";

const maintenanceSchema = z.object({
  intake: z
    .object({ is_closed: z.boolean(), by: z.string(), since: z.string().nullable() })
    .meta({ description: "Whether gateways refuse new tasks." }),
  restore: z
    .object({
      snapshot_at: z.string(),
      begun_at: z.string(),
      ended_at: z.string().nullable().meta({ description: "null: agents are held." }),
      unlisted: z
        .enum(["ask", "act"])
        .meta({ description: "ask: an effect that is not listed is asked of its provider, or of a person." }),
      listed: z.int().meta({ description: "Effects and tasks listed as done since the snapshot." }),
      by: z.string(),
    })
    .nullable()
    .meta({ description: "The last return of Redis from a snapshot; null: there was none." }),
  waiting: z
    .object({ queued: z.int(), running: z.int(), in_ward: z.int(), quarantined: z.int() })
    .meta({ description: "Runs that have not ended." }),
});

/** Lines of one request. */
const LISTED_MAX = 500;
const KEY_CHARS_MAX = 255;
const keyField = z.string().min(1).max(KEY_CHARS_MAX);

const effectLine = z
  .strictObject({ effect: keyField, done: z.boolean().exactOptional(), value: z.json().exactOptional() })
  .meta({
    description:
      "An effect by the idempotency key of ctx.once, with the result that its code returned. done false: it did not happen.",
  });
const taskLine = z.strictObject({ task: keyField, by: keyField, run_id: z.uuid() }).meta({
  description: "A task by its Idempotency-Key, the name of its API key, and the run that it had started.",
});

const answers = { 200: maintenanceSchema } as const;
const body = z.strictObject({ why: optionalWhy }).default({ why: "" });

export const MAINTENANCE = {
  showMaintenance: {
    ...get("/v1/maintenance", VIEWERS),
    summary: "Show whether new tasks are taken, the last restore, and how many runs have not ended",
    answers,
  },
  closeIntake: {
    ...post("/v1/intake/close", OPERATORS, "intake.close"),
    summary: "Refuse new tasks at every gateway, with 503 and Retry-After",
    body,
    answers,
  },
  openIntake: {
    ...post("/v1/intake/open", OPERATORS, "intake.open"),
    summary: "Take new tasks again",
    body,
    answers,
  },
  beginRestore: {
    ...post("/v1/restore/begin", OPERATORS, "restore.begin"),
    summary: "Hold agents and gateways, because Redis came back from a snapshot",
    body: z.strictObject({ snapshot_at: z.iso.datetime(), why: whyField }),
    answers,
    problems: ["restore_refused"],
  },
  listRestored: {
    ...post("/v1/restore/list", OPERATORS, "restore.list"),
    summary: "List effects and tasks that were done after the snapshot, so that they are not done again",
    body: z.strictObject({
      done: z
        .array(z.union([effectLine, taskLine]))
        .min(1)
        .max(LISTED_MAX),
    }),
    answers,
    problems: ["restore_refused"],
  },
  endRestore: {
    ...post("/v1/restore/end", OPERATORS, "restore.end"),
    summary: "Let agents and gateways work again; tasks live longer by the time since the snapshot",
    body: z.strictObject({
      unlisted: z.enum(["ask", "act"]).default("ask").meta({
        description: "act: the list is complete, and what is not on it was not done.",
      }),
      why: whyField,
    }),
    answers,
    problems: ["restore_refused"],
  },
} as const satisfies DeclaredApi;
