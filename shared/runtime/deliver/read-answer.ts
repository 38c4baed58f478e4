import { PayloadContentError, PayloadInvalidError, checkPayload } from "#shared/contract";
import type { Contract, ContractOutput } from "#shared/contract";
import { repeatsName } from "#shared/envelope/json";
import { BudgetExceededError } from "#shared/envelope/limits";
import type { Issue } from "#shared/errors";
import { dropAddedNulls } from "#shared/model";
import { firstAid, readXmlAnswer } from "#shared/repair";
import type { Logger } from "#shared/telemetry";
import type { MadeCall } from "./model-call.ts";

export type Reading<Value> =
  | { readonly ok: true; readonly value: Value }
  | {
      readonly ok: false;
      readonly failureClass: "parse_error" | "validation_error" | "content_error" | "unsafe";
      readonly issues: readonly Issue[];
    };

/** Reads an answer as XML, as JSON, else by first aid. @param options.mayBeOpen - False refuses closed ones. */
export function readAnswer<C extends Contract>(
  contract: C,
  { text, problem, isCutOff = false }: Pick<MadeCall, "text" | "problem" | "isCutOff">,
  { mayBeOpen }: { readonly mayBeOpen: boolean } = { mayBeOpen: true },
): Reading<ContractOutput<C>> {
  if (problem !== undefined) {
    const issue = { path: "", code: "no_answer", message: problem };
    return { ok: false, failureClass: "parse_error", issues: [issue] };
  }
  const xml = contract.options.answersIn === "xml" ? readXmlAnswer(text, contract.jsonSchema) : null;
  const fromXml = xml?.ok === true ? check(contract, xml.value) : null;
  if (fromXml?.ok === true || fromXml?.failureClass === "content_error") return fromXml;
  const strict = readStrict(contract, text);
  if (strict.ok || strict.failureClass === "content_error") return strict;
  const aided = firstAid(text, contract.jsonSchema);
  if (aided.ok && (mayBeOpen || !wasLeftOpen(aided.notes))) return check(contract, aided.value);
  if (!isCutOff) return strict;
  const issue = {
    path: "",
    code: "answer_cut_off",
    message: "the answer was cut off at its limit of tokens",
  };
  return { ok: false, failureClass: "parse_error", issues: [issue] };
}

function readStrict<C extends Contract>(contract: C, text: string): Reading<ContractOutput<C>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const issue = { path: "", code: "not_json", message: "the answer is not JSON" };
    return { ok: false, failureClass: "parse_error", issues: [issue] };
  }
  if (repeatsName(text, value)) {
    // First aid reads both values, and accepts them if they are equal.
    const issue = { path: "", code: "duplicate_key", message: "an object has the same name twice" };
    return { ok: false, failureClass: "parse_error", issues: [issue] };
  }
  return check(contract, value);
}

/** Checks a value without the nulls that strict mode requires for optional fields. */
function check<C extends Contract>(contract: C, value: unknown): Reading<ContractOutput<C>> {
  try {
    return { ok: true, value: checkPayload(contract, dropAddedNulls(value, contract.jsonSchema)) };
  } catch (error) {
    if (error instanceof PayloadContentError) {
      return { ok: false, failureClass: "content_error", issues: error.issues };
    }
    if (error instanceof PayloadInvalidError) {
      return { ok: false, failureClass: "validation_error", issues: error.issues };
    }
    throw error;
  }
}

interface HigherLimit {
  readonly step: string;
  readonly logger: Logger;
  /** Returns true for an answer that can be used although it was called cut off. */
  readonly isWhole: (answer: MadeCall) => boolean;
  /** Asks the same question again, as a recorded step of its own. @throws {BudgetExceededError} Nothing was sent. */
  readonly ask: (room: { readonly tokens: number; readonly nth: number }) => Promise<MadeCall>;
}

/** Asks a cut-off question again, with twice the room each time, while room and budget last; returns the last. */
export async function withHigherLimit(
  first: MadeCall,
  { step, logger, isWhole, ask }: HigherLimit,
): Promise<MadeCall> {
  let answer = first;
  for (let nth = 1; answer.higherLimit !== undefined && !isWhole(answer); nth += 1) {
    const { model, higherLimit: tokens } = answer;
    const about = { code: "MODEL_ANSWER_CUT_OFF", step, model, room: tokens };
    try {
      answer = await ask({ tokens, nth });
    } catch (error) {
      if (!(error instanceof BudgetExceededError)) throw error;
      logger.warn(about, "an answer was cut off, and the run's budget does not cover more room");
      return answer;
    }
    logger.warn(about, "an answer was cut off: it was asked for again with more room");
  }
  return answer;
}

/** Steps of first aid that close what a text leaves open. */
const CLOSES = /^(?:cut|missing_closer|missing_end_quote|closed_early)/;

/** Cost of reading JSON out of a JSON string; more where that had to be mended, too. */
const NESTED_COST = 3;

/** Returns true where first aid had to close what a text left open, or may have had to in a text within it. */
export function wasLeftOpen(notes: readonly { readonly step: string; readonly cost: number }[]): boolean {
  return notes.some(({ step, cost }) => CLOSES.test(step) || (step === "nested_json" && cost > NESTED_COST));
}
