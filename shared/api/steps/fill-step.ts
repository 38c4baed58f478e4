import { maskSecrets, redactText } from "#shared/guard";
import { isRecord, readJson } from "#shared/json";
import { SENSITIVE_MASK } from "#shared/masking";
import type { RunMask } from "#shared/masking";
import { showInput } from "#shared/runtime/accounts";
import type { StepAccount } from "#shared/runtime/accounts";
import type { Store } from "#shared/store";
import type { RunRecord } from "#shared/store/runs";
import type { Content, RunStep } from "../run-steps.ts";
import { readSealed } from "./read-sealed.ts";
import type { MessagePlace, SealedReading } from "./read-sealed.ts";

/** Sources of the steps of one message, and the rights of their reader. */
export interface StepReader {
  readonly store: Store;
  /** As the caller may see it. */
  readonly run: RunRecord;
  readonly mask: RunMask;
  readonly seesInstructions: boolean;
  /** Values are not cut. */
  readonly isWhole: boolean;
  readonly message: MessagePlace;
  /** The message itself. */
  readonly sealed: SealedReading;
  /** The message led to others. */
  readonly hasSent: boolean;
}

/** A step as a ledger holds it: `result` is JSON text. */
interface Recorded {
  readonly name: string;
  readonly result: string;
  readonly account: StepAccount | null;
}

/** The values of a step. */
export type Filled = Pick<
  RunStep,
  "name" | "instructions" | "problems" | "input" | "output" | "conversation"
> & { readonly outcome?: string | null };

const NOTHING: Filled = {
  name: null,
  instructions: noContent("none"),
  problems: null,
  input: noContent("none"),
  output: noContent("none"),
  conversation: null,
};

export function fillDelivery(reader: StepReader, isLastCompletion: boolean): Filled {
  const { run, sealed, hasSent } = reader;
  const output = isLastCompletion
    ? toContent(reader, run.result)
    : noContent(hasSent ? "none" : "not_recorded");
  return { ...NOTHING, input: payloadOf(reader, sealed), output };
}

export async function fillCall(reader: StepReader, source: Recorded): Promise<Filled> {
  const { account } = source;
  return {
    ...NOTHING,
    name: nameOf(reader, source),
    instructions: await instructionsOf(reader, account),
    problems:
      account?.problems === undefined ? null : String(maskSecrets(maskText(reader, account.problems))),
    input: promptOf(reader, account),
    output: answerOf(reader, source),
  };
}

export function fillStepResult(reader: StepReader, source: Recorded): Filled {
  return {
    ...NOTHING,
    name: nameOf(reader, source),
    // The arguments of a tool; what a `ctx.step` read is in its author's code.
    input: promptOf(reader, source.account),
    output: unknownJson(reader, source.result),
  };
}

export async function fillEffect(
  reader: StepReader,
  { key, runId }: { readonly key: string; readonly runId: string | null },
): Promise<Filled> {
  const { store, message } = reader;
  const claim = await store.effects.read(message.agent, { key, runId });
  return {
    ...NOTHING,
    name: reader.mask.isClear ? String(maskSecrets(key)) : SENSITIVE_MASK,
    input: noContent("not_recorded"),
    output: claim?.value === null || claim === null ? noContent("none") : unknownJson(reader, claim.value),
    outcome: claim?.state ?? null,
  };
}

export async function fillSent(reader: StepReader, to: MessagePlace): Promise<Filled> {
  const { sealed, store } = reader;
  const child = await readSealed(store, to);
  if (sealed.kind !== "read" || child.kind !== "read")
    return { ...NOTHING, output: payloadOf(reader, child) };
  const [before, after] = [sealed.envelope, child.envelope];
  return {
    ...NOTHING,
    output: payloadOf(reader, child),
    conversation: {
      turns_sent: before.conversation.history.length,
      turns_used: after.conversation.history.length,
      chars_sent: JSON.stringify(before.conversation).length,
      chars_used: JSON.stringify(after.conversation).length,
    },
  };
}

function payloadOf(reader: StepReader, sealed: SealedReading): Content {
  if (sealed.kind !== "read") return noContent(sealed.kind);
  const { data_payload, meta } = sealed.envelope;
  return toContent(reader, reader.mask.payload(data_payload, meta.contract), meta.contract);
}

/** The input of a model call as the caller may see it. */
function promptOf(reader: StepReader, account: StepAccount | null): Content {
  const { sealed, mask } = reader;
  const input = account?.input;
  if (input === undefined) return noContent("not_recorded");
  if (input.head !== undefined)
    return mask.isClear ? toHead(input.head, input.chars) : toContent(reader, SENSITIVE_MASK);
  const { data_payload: payload, meta } = sealed.kind === "read" ? sealed.envelope : NO_MESSAGE;
  const shown = showInput(input, { payload, contract: meta.contract }, mask);
  if (shown === undefined) return noContent(sealed.kind === "read" ? "gone" : sealed.kind);
  return toContent(reader, shown);
}

const NO_MESSAGE = { data_payload: undefined, meta: { contract: "" } };

/** The answer of a model call, by its contract where it is JSON. */
function answerOf(reader: StepReader, { account, result }: Recorded): Content {
  const { mask } = reader;
  const call = readJson(result);
  if (!isRecord(call) || typeof call["text"] !== "string") return noContent("unreadable");
  const contract = account?.contract ?? null;
  const { calls } = call;
  if (Array.isArray(calls) && calls.length > 0)
    return toContent(reader, mask.unknown({ text: call["text"], calls }));
  const parsed = readJson(call["text"]);
  if (mask.isClear) return toContent(reader, parsed ?? call["text"], contract);
  const masked =
    parsed === undefined || contract === null ? mask.unknown(call["text"]) : mask.payload(parsed, contract);
  return toContent(reader, masked, contract);
}

async function instructionsOf(reader: StepReader, account: StepAccount | null): Promise<Content> {
  const { store, message, seesInstructions, mask, sealed } = reader;
  if (!seesInstructions) return noContent("withheld");
  if (account?.prompt === undefined) return noContent("not_recorded");
  const text = await store.ledger.promptOf(message.agent, account.prompt);
  if (text === null) return noContent("gone");
  // They must hold no data, and are looked through all the same.
  const shown =
    sealed.kind === "read"
      ? mask.about(text, sealed.envelope.data_payload, sealed.envelope.meta.contract)
      : text;
  return toContent(reader, mask.isClear || sealed.kind === "read" ? shown : SENSITIVE_MASK);
}

/** JSON text without a contract. */
function unknownJson(reader: StepReader, text: string): Content {
  const value = readJson(text);
  return value === undefined ? noContent("unreadable") : toContent(reader, reader.mask.unknown(value));
}

/** A step's name, which its author may have made of the message. */
function nameOf(reader: StepReader, { name }: Pick<Recorded, "name">): string {
  return String(maskSecrets(maskText(reader, name)));
}

function maskText({ mask, sealed }: StepReader, text: string): string {
  return sealed.kind === "read"
    ? mask.about(text, sealed.envelope.data_payload, sealed.envelope.meta.contract)
    : mask.text(text);
}

/** A longer value is cut in a list, in characters of its JSON text. */
const CONTENT_CHARS_MAX = 8192;

/** A value that is not shown, and why. */
function noContent(state: Exclude<Content["state"], "whole" | "cut" | "partly_kept">): Content {
  return { state, chars: null, value: null, text: null, contract: null };
}

/** Returns a value as shown: without secrets, and cut unless all of it is wanted. @param value - Masked before. */
function toContent({ isWhole }: StepReader, value: unknown, contract: string | null = null): Content {
  const shown = maskSecrets(value ?? null);
  const text = JSON.stringify(shown);
  const { length: chars } = text;
  if (isWhole || chars <= CONTENT_CHARS_MAX)
    return { state: "whole", chars, value: shown, text: null, contract };
  const head = text.slice(0, CONTENT_CHARS_MAX).toWellFormed();
  return { state: "cut", chars, value: null, text: head, contract };
}

/** Returns the beginning of a value of which no more was recorded. @param chars - Length of all of it. */
function toHead(head: string, chars: number): Content {
  const text = redactText(head, ["secret"]).text.slice(0, CONTENT_CHARS_MAX).toWellFormed();
  return { state: "partly_kept", chars, value: null, text, contract: null };
}
