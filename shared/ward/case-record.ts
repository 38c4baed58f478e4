import type { FailureClass } from "#shared/errors";
import type { StoredCase } from "#shared/store/cases";
import type { Admission } from "#shared/store/settlement";
import type { CaseAdmission, CaseSubject } from "./case.ts";
import type { Decision, Proposal } from "./decisions/decision.ts";
import { writeOperation } from "./moves/operation.ts";
import type { OperationRecord } from "./moves/operation.ts";

/** Number of a model call for one message in one operation: the first, or the second with the proof's objections. */
export type ModelTry = 1 | 2;

/** Maximum operations kept per case; the oldest are dropped. */
const OPERATIONS_KEPT = 20;

type Fields = Pick<StoredCase, "fields">;

/**
 * Reads what most readers need of a stored case, which can be megabytes. With `writeCase` and `toWardCase`, which names
 * damaged fields, the only code that knows the names of its fields.
 */
export function recordOf({ fields }: Fields) {
  const count = (name: string): number => Number(fields[name] ?? 0);
  const { branch } = fields;
  return {
    /** The message in the ward now, or last, and its receiver. */
    messageId: fields["message_id"] ?? null,
    agent: fields["agent"] ?? null,
    /** "" if no run waits for it. */
    runId: fields["run_id"] ?? "",
    team: fields["team"] ?? null,
    /** Receiver of the case's first message. */
    addressedTo: fields["addressed_to"] ?? "",
    /** The fan-out branch as in the run's record; empty if there is none. */
    branchField: branch === undefined ? {} : { branch },
    /** Number of messages that this case has had. */
    messages: count("messages"),
    operations: count("operations"),
    reroutes: count("reroutes"),
    restarts: count("restarts"),
    /** The message that replaced the last one. */
    dischargedAs: fields["discharged_as"] ?? null,
  };
}

/** Field of the deduplication mark of this message's admission. */
export function seenField(messageId: string): string {
  return `seen:${messageId}`;
}

/** Returns that mark; null: none. */
export function seenMark({ fields }: Fields, messageId: string): string | null {
  return fields[seenField(messageId)] ?? null;
}

/** Returns the number of messages that the case had when a batch decided on it; null if it did not. */
export function messagesAt({ fields }: Fields, batchId: string): number | null {
  const messages = fields[batchField(batchId)];
  return messages === undefined ? null : Number(messages);
}

/** Returns the JSON text of a paid model answer that is not used yet; null: none. @param part - Default `whole`. */
export function paidAnswer({ fields }: Fields, ...answer: Parameters<typeof paidAnswerField>): string | null {
  return fields[paidAnswerField(...answer)] ?? null;
}

/** Returns the field names of all such answers. */
export function paidAnswersIn({ fields }: Fields): CaseField[] {
  return Object.keys(fields).filter((name) => name.startsWith("answer:")) as CaseField[];
}

/** Fields that a move changes. Absent: unchanged. */
export interface CaseChanges {
  readonly message_id?: string;
  readonly run_id?: string;
  readonly team?: string;
  readonly agent?: string;
  readonly addressed_to?: string;
  readonly contract?: string;
  readonly disposition?: CaseAdmission["disposition"];
  readonly failure_class?: FailureClass;
  readonly subject?: CaseSubject["kind"];
  readonly branch?: string | undefined;
  readonly producer?: string;
  readonly job_id?: string;
  readonly diagnosis?: string;
  readonly discharged_as?: string;
  readonly discharged_to?: string;
  readonly reroutes?: number;
  readonly restarts?: number;
  /** Agents that have rejected the message. */
  readonly taboo?: readonly string[];
  readonly decision?: Decision;
  readonly proposal?: Proposal | undefined;
  readonly waits?: { readonly why: string; readonly until_ms: number };
  /** Record of an operation; also increments their number. */
  readonly operation?: OperationRecord | null;
  /** The arriving message: its number in the case, its admission and the deduplication mark. */
  readonly arrived?: {
    readonly number: number;
    readonly messageId: string;
    readonly admission: Admission;
    readonly mark: string;
  };
  /** A batch that decided on the case, and the number of messages the case had then. */
  readonly batch?: { readonly id: string; readonly messages: number } | undefined;
}

/** Fields that a move can remove. */
export type CaseField =
  | "decision"
  | "proposal"
  | "diagnosis"
  | "job_id"
  | "discharged_as"
  | "restarts"
  | "closed_ms"
  | (typeof WAIT_FIELDS)[number]
  | `answer:${string}`
  | `message:${number}`;

/** Reason and end of the wait of a postponed case; removed by its next move. */
export const WAIT_FIELDS = ["waits_why", "waits_until_ms"] as const;

/** Converts changes to stored fields. */
export function writeCase(changes: CaseChanges): Record<string, string> {
  const { taboo, decision, proposal, waits, operation, arrived, batch, ...plain } = changes;
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(plain)) if (value !== undefined) fields[name] = String(value);
  if (taboo !== undefined) fields["taboo"] = JSON.stringify(taboo);
  if (decision !== undefined) fields["decision"] = JSON.stringify(decision);
  if (proposal !== undefined) fields["proposal"] = JSON.stringify(proposal);
  if (waits !== undefined) {
    fields["waits_why"] = waits.why;
    fields["waits_until_ms"] = String(waits.until_ms);
  }
  if (operation !== undefined && operation !== null) {
    fields["operations"] = String(operation.number);
    fields[`operation:${((operation.number - 1) % OPERATIONS_KEPT) + 1}`] = writeOperation(operation);
  }
  if (arrived !== undefined) {
    fields["messages"] = String(arrived.number);
    fields[`message:${arrived.number}`] = JSON.stringify(arrived.admission);
    fields[seenField(arrived.messageId)] = arrived.mark;
  }
  if (batch !== undefined) fields[batchField(batch.id)] = String(batch.messages);
  return fields;
}

/** Field that `findHead` must read for `messagesAt`. */
export function batchField(batchId: string): string {
  return `batch:${batchId}`;
}

/**
 * `reading`: what the model read in the text when it was asked apart from its repair. `note`: the cause note of the
 * group. `…cut_off`: an answer that was cut off, after which the same question is asked once more with more room.
 */
const ANSWER_PARTS = ["whole", "cut_off", "reading", "reading_cut_off", "note", "note_cut_off"] as const;

export type AnswerPart = (typeof ANSWER_PARTS)[number];

/** Field of a paid model answer, kept during one operation. @param part - Default `whole`. */
export function paidAnswerField(
  operation: number,
  modelTry: ModelTry,
  part: AnswerPart = "whole",
): `answer:${string}` {
  const field = modelTry === 1 ? (`answer:${operation}` as const) : (`answer:${operation}/2` as const);
  return part === "whole" ? field : `${field}/${part}`;
}

/** Paid answers can be deleted once the verdict is stored. */
export function paidAnswersOf(operation: OperationRecord | null): CaseField[] {
  if (operation === null) return [];
  return ([1, 2] as const).flatMap((modelTry) =>
    ANSWER_PARTS.map((part) => paidAnswerField(operation.number, modelTry, part)),
  );
}
