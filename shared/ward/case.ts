import type { JsonSchema } from "#shared/json";
import type { Failure } from "#shared/errors";

/**
 * What is wrong, and what may be repaired. `payload`: the message's own data_payload. `answer`: a model's answer to
 * the message's agent in one step, still unusable after inline first aid and one re-ask. A repaired answer becomes
 * that step's recorded result, and the message is redelivered.
 */
export type CaseSubject =
  | { readonly kind: "payload" }
  | {
      readonly kind: "answer";
      readonly step: string;
      readonly text: string;
      /** How the model ended it: by itself, or at its limit of tokens. Absent: its endpoint did not say. */
      readonly ending?: "whole" | "cut" | undefined;
    };

/** Producer of what is wrong, for feedback. */
export interface Producer {
  /** `name@version` of the agent, or the name of an external producer. */
  readonly agent: string;
  readonly contract: string;
  readonly model: string | null;
  readonly prompt_version: string | null;
}

/** The message that the sender was handling when it made the dead message. */
export interface SealedParent {
  /** Index of the message among the handoffs of one outcome, from 0. */
  readonly index: number;
  /** The parent's job data, with its text. */
  readonly message: unknown;
}

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
export interface CaseAdmission {
  /** Derived from the first dead message; a discharged message that dies again names its former case. */
  readonly case_id: string;
  readonly message_id: string;
  readonly run_id: string;
  readonly team: string;
  /** Plain name of the receiver, which is also the queue's name. */
  readonly agent: string;
  /** Contract of the subject, and its JSON Schema as the admitter knew it. */
  readonly contract: string;
  readonly schema: JsonSchema;
  /** `operate`: try the ladder; `quarantine`: only a person; `reroute`: find another agent for a rejected message. */
  readonly disposition: "operate" | "quarantine" | "reroute";
  readonly subject: CaseSubject;
  /**
   * The message's exact bytes after verification; null if it never verified: then it is not parsed, shown to a model
   * or repaired.
   */
  readonly bytes: string | null;
  /** The job's data as stored with its seal, without a plain text that is in `bytes`. JSON text, bounded. */
  readonly stored: string;
  /** For a message that its sender could not send. Absent: it was sent, or admitted by a release up to 0.1. */
  readonly parent?: SealedParent | undefined;
  readonly failures: readonly Failure[];
  readonly producer: Producer;
  /** Fan-out branch as in the run's record. Absent: none. */
  readonly branch?: string | undefined;
  /** Time to live that was left at its death, in ms; it does not run down in the ward. */
  readonly time_left_ms: number;
  readonly admitted_by: string;
  /** RFC 3339, UTC. */
  readonly at: string;
}

/** Larger than an envelope, because a record quotes its message. Bytes. */
export const ADMISSION_LIMITS = { envelopeBytesMax: 8 * 1024 * 1024 } as const;
