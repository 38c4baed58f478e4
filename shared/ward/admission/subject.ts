import { checkPayload, PayloadContentError, PayloadInvalidError } from "#shared/contract";
import type { Contract, ContractRegistry, JsonSchema } from "#shared/contract";
import type { Envelope } from "#shared/envelope";
import type { Issue } from "#shared/errors";
import { parseTolerant } from "#shared/repair";
import type { JsonValue } from "#shared/schema";
import type { CaseAdmission } from "../case.ts";
import { payloadTextOf } from "./payload-text.ts";

/** What is wrong in a case, what it should satisfy, where values may come from: the same for surgeon and console. */
export interface Subject {
  /** As it was written, digits and all. */
  readonly text: string;
  /** The subject's value; undefined where the text is no JSON, and then its cheapest reading stands for it. */
  readonly value: JsonValue | undefined;
  readonly contractId: string;
  readonly schema: JsonSchema;
  /** The contract's own check of form and meaning, where the team is known here. */
  readonly check: ((value: JsonValue) => readonly Issue[]) | undefined;
  readonly sources: {
    readonly original_query: string;
    readonly history: JsonValue;
    /** What the agent was told, where the subject is its model's answer. */
    readonly input: JsonValue | undefined;
  };
}

/** @param message.contracts - The contracts of the message's team, where it is known here. */
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
      ? unwrap(record.subject.text, parseClear)
      : unwrap(payloadTextOf(record.bytes ?? "null", envelope.data_payload), parse)),
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

/**
 * A payload that claims an older version than its receiver's is healed to the version it claims: the receiver
 * lifts it. Otherwise the newest word on a contract is the loaded team's; without the team, the schema in the
 * admission counts.
 */
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

/** How often a text may be JSON in a JSON string before it is taken as it stands. */
const ENCODINGS_MAX = 3;

/**
 * A payload that is a text is a broken producer's raw words: they are what is read, once for each time they were
 * encoded. What is no JSON then has no value, so that nobody takes the message's text for its content.
 */
function unwrap(
  text: string,
  read: (text: string) => JsonValue | undefined,
): Pick<Subject, "text" | "value"> {
  let own = { text, value: read(text) };
  for (let n = 0; n < ENCODINGS_MAX && typeof own.value === "string"; n += 1) {
    own = { text: own.value, value: parseClear(own.value) };
  }
  return own;
}

/**
 * For words that nobody has checked: `JSON.parse` takes the last of two values under one name, and who reads the text
 * may take the first. What contradicts itself has no value.
 */
function parseClear(text: string): JsonValue | undefined {
  const value = parse(text);
  if (typeof value !== "object" || value === null) return value;
  return parseTolerant(text).length === 1 ? value : undefined;
}

function parse(text: string): JsonValue | undefined {
  try {
    // JSON.parse gives nothing but JSON values.
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
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
