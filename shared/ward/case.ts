import { z } from "zod";
import { FAILURE_CLASSES, SEVERITIES } from "#shared/errors";

/** As `Failure` of `#shared/errors` describes it. */
const failureSchema = z.object({
  failure_class: z.enum(FAILURE_CLASSES),
  code: z.string(),
  message: z.string(),
  remedy: z.string(),
  severity: z.enum(SEVERITIES),
  direction: z.enum(["in", "out", "run"]),
  agent: z.string(),
  contract: z.string().nullable(),
  issues: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })),
  step: z.string().nullable(),
  stack: z.array(z.string()).exactOptional(),
  model: z.string().nullable(),
  prompt_version: z.string().nullable(),
  at: z.string(),
});

export const DISPOSITIONS = ["operate", "quarantine", "reroute"] as const;

/**
 * A dead message on its way to the ward (DLQ), as the process that declares it dead records and signs it on the edge
 * `<admitter>>ward`. The signature proves only the admitter: the message itself must verify under its own edge
 * (`provenance.ts`), and what the surgeon can derive from it or from its own teams is not read from here.
 *
 * Trusted fields, because a lie could change only what the admitter's own edges or work could change anyway:
 * `failures` and `disposition` (the receiver checks the message again; `reroute` follows the sender's edges),
 * `subject` (only a receiver names the answer of its own step), `producer` (a name in counts), `stored` beside the seal
 * and `time_left_ms` (display only), `at` (clamped between the message's own time and now).
 */
export const admissionSchema = z.object({
  /** Derived from the first dead message; a discharged message that dies again names its former case. */
  case_id: z.string().min(1).max(200),
  message_id: z.string().min(1).max(200),
  run_id: z.string().max(200),
  team: z.string().max(200),
  /** Plain name of the receiver, which is also the queue's name. */
  agent: z.string().max(200),
  /** Contract of the subject, and its JSON Schema as the admitter knew it. */
  contract: z.string().max(300),
  schema: z.record(z.string(), z.unknown()),
  /** `operate`: try the ladder; `quarantine`: only a person; `reroute`: find another agent for a rejected message. */
  disposition: z.enum(DISPOSITIONS),
  /**
   * The wrong value, to be repaired. `payload`: the message's own data_payload. `answer`: a model's answer to
   * the message's agent in one step, still unusable after inline first aid and one re-ask. A repaired answer becomes
   * that step's recorded result, and the message is redelivered.
   */
  subject: z.union([
    z.object({ kind: z.literal("payload") }),
    z.object({
      kind: z.literal("answer"),
      step: z.string(),
      text: z.string(),
      /** The model ended it by itself, or at its limit of tokens. Absent: its endpoint did not say. */
      ending: z.enum(["whole", "cut"]).optional(),
    }),
  ]),
  /** Exact bytes after verification; null if it never verified: then it is not parsed, shown to a model or repaired. */
  bytes: z.string().nullable(),
  /** The job's data as stored with its seal, without a plain text that is in `bytes`. JSON text, bounded. */
  stored: z.string(),
  /**
   * For a message that its sender could not send: the job data of the message that the sender was handling, with its
   * text, and the index of the dead one among the handoffs of that outcome, from 0. Absent: it was sent.
   */
  parent: z.object({ index: z.int().min(0), message: z.unknown() }).optional(),
  failures: z.array(failureSchema),
  /** Producer of what is wrong, for feedback: `name@version` of the agent, or the name of an external producer. */
  producer: z.object({
    agent: z.string(),
    contract: z.string(),
    model: z.string().nullable(),
    prompt_version: z.string().nullable(),
  }),
  /** Fan-out branch as in the run's record. Absent: none. */
  branch: z.string().max(200).optional(),
  /** Time to live that was left at its death, in ms; it does not run down in the ward. */
  time_left_ms: z.number(),
  admitted_by: z.string(),
  /** RFC 3339, UTC. */
  at: z.string(),
});

type ReadOnly<Value> = Value extends readonly (infer Item)[]
  ? readonly ReadOnly<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: ReadOnly<Value[Key]> }
    : Value;

export type CaseAdmission = ReadOnly<z.output<typeof admissionSchema>>;

export type CaseSubject = CaseAdmission["subject"];

/** Larger than an envelope, because a record quotes its message. Bytes. */
export const ADMISSION_LIMITS = { envelopeBytesMax: 8 * 1024 * 1024 } as const;
