import { checkPayload, PayloadContentError, PayloadInvalidError } from "#shared/contract";
import type { Contract, ContractRegistry } from "#shared/contract";
import type { JsonSchema } from "#shared/json";
import type { Envelope } from "#shared/envelope";
import type { Issue } from "#shared/errors";
import { unwrapText } from "#shared/proof";
import type { ProofInput } from "#shared/proof";
import { parseTolerant } from "#shared/repair";
import type { JsonValue } from "#shared/schema";
import type { CaseAdmission } from "../case.ts";

/** The faulty value of a case, its contract, and the sources of its values. Shared by surgeon and console. */
export interface Subject {
  /** JSON text as written, with all digits. */
  readonly text: string;
  /** Parsed value; undefined if the text is not JSON, in which case its cheapest reading is used. */
  readonly value: JsonValue | undefined;
  readonly contractId: string;
  readonly schema: JsonSchema;
  /** The contract's check of form and content, if the team is loaded here. */
  readonly check: ((value: JsonValue) => readonly Issue[]) | undefined;
  readonly sources: {
    readonly original_query: string;
    readonly history: JsonValue;
    /** Input of the agent, if the subject is its model's answer. */
    readonly input: JsonValue | undefined;
  };
  /** `whole`, or `cut` at its producer's limit, where that is known. */
  readonly ending?: ProofInput["ending"];
}

/** @param message.contracts - Contracts of the message's team, if it is loaded here. */
export function readSubject(message: {
  readonly record: CaseAdmission;
  readonly envelope: Envelope;
  readonly contracts: ContractRegistry | undefined;
}): Subject {
  const { record, envelope } = message;
  const contract = findContract(message);
  const isAnswer = record.subject.kind === "answer";
  return {
    ...(record.subject.kind === "answer"
      ? unwrapText(record.subject.text)
      : unwrapText(payloadTextOf(record.bytes ?? "null", envelope.data_payload), true)),
    // A payload was sealed as it is.
    ending: record.subject.kind === "answer" ? record.subject.ending : undefined,
    contractId: contract?.id ?? record.contract,
    schema: contract?.jsonSchema ?? record.schema,
    check: contract === undefined ? undefined : (proposed) => findFaults(contract, proposed),
    sources: {
      original_query: envelope.user_context.original_query,
      // The envelope was parsed from JSON text.
      history: envelope.conversation.history as JsonValue,
      // As above.
      input: isAnswer ? (envelope.data_payload as JsonValue) : undefined,
    },
  };
}

/** Returns the subject's value, or the cheapest reading of its text: the base of proofs and diffs. */
export function cheapestReading({ value, text }: Pick<Subject, "value" | "text">): JsonValue | undefined {
  return value ?? parseTolerant(text)[0]?.value;
}

/** Returns the contract to repair to: the payload's older version, else the team's, else the admission's schema. */
function findContract(message: {
  readonly record: CaseAdmission;
  readonly envelope: Envelope;
  readonly contracts: ContractRegistry | undefined;
}): Contract | undefined {
  const { record, envelope, contracts } = message;
  const wanted = contracts?.find(record.contract);
  if (record.subject.kind === "answer") return wanted;
  const claimed = contracts?.find(envelope.meta.contract);
  const isOlder = claimed !== undefined && claimed.name === wanted?.name && claimed.version < wanted.version;
  return isOlder ? claimed : wanted;
}

function findFaults(contract: Contract, value: JsonValue): readonly Issue[] {
  try {
    checkPayload(contract, value);
    return [];
  } catch (error) {
    if (error instanceof PayloadInvalidError || error instanceof PayloadContentError) return error.issues;
    return [{ path: "", code: "check_threw", message: "the contract's own check could not read this value" }];
  }
}

/** Reviver argument with the exact source text of a primitive. Newer than the compiler's library types. */
interface ReviverContext {
  readonly source?: string;
}

interface ExactJson {
  parse(text: string, reviver: (key: string, value: unknown, context: ReviverContext) => unknown): unknown;
  rawJSON(text: string): unknown;
}

// Every supported Node version has both; the type only adds what the library's declarations lack.
const exact = JSON as unknown as ExactJson;

/**
 * Returns a payload as JSON text with every number as written: printing would change a 20-digit id, or 1.10.
 * @param bytes - The envelope's faultless JSON text. @param payload - Its parsed payload, if known.
 */
export function payloadTextOf(bytes: string, payload?: unknown): string {
  return asPrinted(bytes, payload) ?? asWritten(bytes);
}

const FIELD = '"data_payload":';

/** Returns the printed payload; undefined if it may differ from the text as written. */
function asPrinted(bytes: string, payload: unknown): string | undefined {
  const at = bytes.indexOf(FIELD);
  if (payload === undefined || at === -1 || bytes.includes(FIELD, at + 1)) return undefined;
  const printed: string = JSON.stringify(payload);
  const end = at + FIELD.length + printed.length;
  const isWhole = bytes[end] === "," || bytes[end] === "}";
  return isWhole && bytes.startsWith(printed, at + FIELD.length) ? printed : undefined;
}

function asWritten(bytes: string): string {
  const envelope = exact.parse(bytes, (_key, value, { source }) =>
    typeof value === "number" && source !== undefined && String(value) !== source
      ? exact.rawJSON(source)
      : value,
  );
  // The envelope's schema was checked when the message was opened.
  return JSON.stringify((envelope as { data_payload: unknown }).data_payload);
}
