import type { JsonSchema } from "#shared/contract";
import type { Failure } from "#shared/errors";

/**
 * What is wrong, and so what may be operated on. `payload`: the message's own data_payload. `answer`: what a model
 * answered to the message's agent in one step, unusable after inline first aid and one re-ask; repaired, it becomes
 * that step's recorded result and the message is delivered again.
 */
export type CaseSubject =
  | { readonly kind: "payload" }
  | { readonly kind: "answer"; readonly step: string; readonly text: string };

/** Who made what is wrong, for the feedback to producers. */
export interface Producer {
  /** `name@version` of the agent, or the name of an outside producer. */
  readonly agent: string;
  readonly contract: string;
  readonly model: string | null;
  readonly prompt_version: string | null;
}

/** The message that a message's sender was handling when it made the message. */
export interface SealedParent {
  /** Place of the message among the handoffs of one outcome, from 0. */
  readonly index: number;
  /** The parent's job data, with its text. */
  readonly message: unknown;
}

/**
 * A dead message on its way into the ward, as the process that declares it dead writes it down, signed on the edge
 * `<admitter>>ward`. The signature says who tells this and no more: the message itself has to verify under its own edge
 * (`provenance.ts`), and what the surgeon can work out from it or from its own teams is not taken from here.
 *
 * What is believed, because a lie changes only what the admitter's own edges or its own work could have changed:
 * `failures` and `disposition` (the message goes to its receiver, which checks it anew, or with `reroute` along edges
 * of its sender), `subject` (only a receiver names the answer of its own step), `producer` (a name in counts; a relay
 * judges by itself for whom it counts), `stored` beside the seal and `time_left_ms` (only shown), `at` (held
 * between the message's own time and now).
 */
export interface CaseAdmission {
  /** Derived from the first dead message; a discharged message that dies again names the case it came from. */
  readonly case_id: string;
  readonly message_id: string;
  readonly run_id: string;
  readonly team: string;
  /** The agent the message was addressed to: its plain name, which is the queue's. */
  readonly agent: string;
  /** The contract the subject should satisfy, and its JSON Schema as the admitter knew it. */
  readonly contract: string;
  readonly schema: JsonSchema;
  /** `operate`: the ladder may try; `quarantine`: only a person; `reroute`: a rejected message looks for an agent. */
  readonly disposition: "operate" | "quarantine" | "reroute";
  readonly subject: CaseSubject;
  /**
   * The message's exact bytes after the seal was verified; null when it never verified, and then nothing of it is
   * parsed, shown to a model or repaired.
   */
  readonly bytes: string | null;
  /** The job's data as stored with its seal; a plain text that stands in `bytes` is left out. JSON text, bounded. */
  readonly stored: string;
  /** For a message that its sender could not send. Absent: it was sent, or releases up to 0.1 admitted it. */
  readonly parent?: SealedParent | undefined;
  readonly failures: readonly Failure[];
  readonly producer: Producer;
  /** The branch of a fan-out that the message belongs to, as its run's record keeps it. Absent: none. */
  readonly branch?: string | undefined;
  /** Milliseconds the message had left when it died; waiting in the ward stops its clock. */
  readonly time_left_ms: number;
  readonly admitted_by: string;
  /** RFC 3339, UTC. */
  readonly at: string;
}

/** A record quotes its message, so it may be larger than any envelope. Bytes. */
export const ADMISSION_LIMITS = { envelopeBytesMax: 8 * 1024 * 1024 } as const;
