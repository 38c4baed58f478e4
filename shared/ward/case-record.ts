import type { FailureClass } from "#shared/errors";
import { readJson } from "#shared/store";
import type { StoredCase } from "#shared/store/cases";
import type { Admission } from "#shared/store/settlement";
import type { CaseAdmission, CaseSubject } from "./case.ts";
import type { Decision, Proposal } from "./decisions/decision.ts";
import { writeOperation } from "./moves/operation.ts";
import type { OperationRecord } from "./moves/operation.ts";

/** How often a model may look at one message in one operation: once, and once more at what the proof objected. */
export type Look = 1 | 2;

/** Old operations of a case that keeps being released go first. */
const OPERATIONS_KEPT = 20;

/**
 * Reads a stored case by typed names; with `writeCase` the only code that knows how the fields are called. Lazy: a case
 * can be megabytes, and most readers want two fields. What is damaged is named by `toWardCase`.
 */
export class CaseRecord {
  private readonly fields: Readonly<Record<string, string>>;

  constructor({ fields }: Pick<StoredCase, "fields">) {
    this.fields = fields;
  }

  /** The message that lies in the ward now, or lay there last. */
  get messageId(): string | null {
    return this.fields["message_id"] ?? null;
  }

  /** "" when no run waits for it. */
  get runId(): string {
    return this.fields["run_id"] ?? "";
  }

  /** The agent that message is addressed to. */
  get agent(): string | null {
    return this.fields["agent"] ?? null;
  }

  get team(): string | null {
    return this.fields["team"] ?? null;
  }

  /** The agent that the case's first message was addressed to. */
  get addressedTo(): string {
    return this.fields["addressed_to"] ?? "";
  }

  /** The branch of a fan-out, as the run's record keeps it; nothing where it is of none. */
  get branchField(): { readonly branch?: string } {
    const branch = this.fields["branch"];
    return branch === undefined ? {} : { branch };
  }

  /** Messages that this case has held. */
  get messages(): number {
    return Number(this.fields["messages"] ?? 0);
  }

  get operations(): number {
    return Number(this.fields["operations"] ?? 0);
  }

  get reroutes(): number {
    return Number(this.fields["reroutes"] ?? 0);
  }

  get restarts(): number {
    return Number(this.fields["restarts"] ?? 0);
  }

  /** The surgeon's job that is due; null: none. */
  get jobId(): string | null {
    return this.fields["job_id"] ?? null;
  }

  /** The message that left in the last one's place. */
  get dischargedAs(): string | null {
    return this.fields["discharged_as"] ?? null;
  }

  get hasDecision(): boolean {
    return this.fields["decision"] !== undefined;
  }

  get hasProposal(): boolean {
    return this.fields["proposal"] !== undefined;
  }

  /** Unverified. Undefined: none, or none that can be read. */
  get decision(): unknown {
    return readJson(this.fields["decision"] ?? "");
  }

  /** Unverified, as `decision`. */
  get proposal(): unknown {
    return readJson(this.fields["proposal"] ?? "");
  }

  /** Mark of the admission of this message that was seen; null: none was. */
  seenMark(messageId: string): string | null {
    return this.fields[`seen:${messageId}`] ?? null;
  }

  /** How many messages the case had held when a batch decided on it; null: it did not. */
  messagesAt(batchId: string): number | null {
    const messages = this.fields[batchField(batchId)];
    return messages === undefined ? null : Number(messages);
  }

  /** JSON text of a model's answer that is paid for and not used yet; null: none. */
  paidAnswer(operation: number, look: Look): string | null {
    return this.fields[paidAnswerField(operation, look)] ?? null;
  }

  /** Names of all such answers. */
  get paidAnswers(): readonly CaseField[] {
    return Object.keys(this.fields).filter((name) => name.startsWith("answer:")) as CaseField[];
  }
}

/** What a move writes of a case. Absent: as it was. */
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
  /** The record of a stay in surgery, which also counts it. */
  readonly operation?: OperationRecord | null;
  /** The message that arrives: its number in the case, its admission and the mark that this was seen. */
  readonly arrived?: {
    readonly number: number;
    readonly messageId: string;
    readonly admission: Admission;
    readonly mark: string;
  };
  /** A batch that decided on the case, and how many messages the case had held by then. */
  readonly batch?: { readonly id: string; readonly messages: number } | undefined;
}

/** A field that a move removes. */
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

/** What a case that was put back says of it; gone with its next move. */
export const WAIT_FIELDS = ["waits_why", "waits_until_ms"] as const;

/** The changes as the store keeps them. */
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
    fields[`seen:${arrived.messageId}`] = arrived.mark;
  }
  if (batch !== undefined) fields[batchField(batch.id)] = String(batch.messages);
  return fields;
}

/** What `findHead` is asked for beside, to read `messagesAt`. */
export function batchField(batchId: string): string {
  return `batch:${batchId}`;
}

/** Where the surgeon keeps a model's answer it paid for, while one stay in surgery lasts. */
export function paidAnswerField(operation: number, look: Look): `answer:${string}` {
  return look === 1 ? `answer:${operation}` : `answer:${operation}/2`;
}

/** With the verdict written, the paid answers have done their work. */
export function paidAnswersOf(operation: OperationRecord | null): CaseField[] {
  return operation === null
    ? []
    : [paidAnswerField(operation.number, 1), paidAnswerField(operation.number, 2)];
}
