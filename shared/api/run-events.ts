import { z } from "zod";
import { RUN_STATUSES } from "#shared/store/runs";
import type { RunEvent, RunStatus } from "#shared/store/runs";

const text = z.string().exactOptional();
const count = z.number().exactOptional();

/** Members of every delivery of a message to an agent. */
const delivery = {
  hop: z.int().nullable().exactOptional(),
  attempt: count,
  contract: z.string().nullable().exactOptional(),
  model: z.string().nullable().exactOptional(),
  ms: count,
  cost: count,
  tokens: count,
};
/** Members of an event of a failure. */
const failure = { ...delivery, class: text, code: text };
const ofCase = { case_id: text };
const replacement = { ...ofCase, to: text, as: text };

/**
 * Members of the details of each type of event that Suture writes itself and shows to every reader. A log of an older
 * release may lack them; more members may come.
 */
const DETAILS: Readonly<Record<RunEvent["type"], z.ZodRawShape>> = {
  submitted: { team: text, trace_id: text },
  unreadable: {},
  cancel_requested: { by: text },
  accepted: {},
  rejected: failure,
  completed: delivery,
  handed_off: {
    ...delivery,
    next: z.array(z.looseObject({ message_id: z.string(), agent: z.string() })).exactOptional(),
  },
  retry: { ...failure, delay_ms: count },
  postponed: { ...failure, delay_ms: count },
  in_ward: { ...failure, ...ofCase },
  operation: { ...ofCase, cost: count, tokens: count },
  discharged: replacement,
  quarantined: { ...failure, ...ofCase },
  released: replacement,
  discarded: ofCase,
  rerouted: replacement,
  ended: { ...failure, end: text },
};

const logged = Object.entries(DETAILS).map(([type, detail]) =>
  z.object({
    type: z.literal(type),
    id: z.string().meta({ description: "Stays the same when an event is sent again." }),
    run_id: z.string(),
    at: z.string().meta({ description: "RFC 3339, UTC" }),
    message_id: z.string().nullable(),
    agent: z.string().nullable(),
    detail: z.looseObject(detail),
  }),
);

/** The last event of a stream; no event of the log. */
const endSchema = z.object({
  type: z.literal("end"),
  run_id: z.string(),
  status: z
    .enum(RUN_STATUSES)
    .nullable()
    .meta({ description: "What the run ended with; null: the run is kept no more." }),
});

/** Data of one server-sent event of a run. */
export const streamedEventSchema = z.discriminatedUnion("type", [endSchema, ...logged]);

/** The event that closes the stream of a run. */
export function endOfStream(runId: string, status: RunStatus | null): z.output<typeof endSchema> {
  return { type: "end", run_id: runId, status };
}
