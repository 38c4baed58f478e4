import { createHash } from "node:crypto";
import { checkPayload, PayloadContentError, PayloadInvalidError } from "#shared/contract";
import type { Contract, ContractOutput } from "#shared/contract";
import { crashPoint } from "#shared/crash-points";
import { checkBudget } from "#shared/envelope/limits";
import { repeatsName } from "#shared/envelope/json";
import type { Issue } from "#shared/errors";
import { findRepeatedInstructions } from "#shared/guard";
import { dropAddedNulls, mayBePaid, ModelAnswerTooLargeError, ModelRefusalError } from "#shared/model";
import type { ModelAnswer, ModelCall } from "#shared/model";
import { firstAid, readXmlAnswer, writeXmlForm } from "#shared/repair";
import type { ModelRequest } from "../define/model-request.ts";
import { countAnswer } from "../settle/count-outputs.ts";
import type { Delivery } from "./delivery.ts";
import { tierOf } from "../define/tier-of.ts";
import { UnusableAnswerError } from "../errors.ts";
import { healedAnswerOf } from "./healed-answer.ts";
import { wasLeftOpen, withMoreRoom } from "./more-room.ts";
import { namesOf, readImages } from "./referred-images.ts";

export interface AskRequest<C extends Contract> {
  readonly delivery: Delivery;
  readonly step: string;
  readonly request: ModelRequest<C>;
  readonly signal: AbortSignal;
  readonly assertOpen: () => void;
}

/** A model call as recorded in the ledger: its cost and its answer. */
interface RecordedCall {
  readonly text: string;
  readonly model: string;
  readonly cost: number;
  readonly tokens: number;
  /** SHA-256 of the request: a recorded call is reused only for the same one. */
  readonly asked: string;
  /** Why there is no answer: it was cut off for its size. Its text is "" and its cost an upper bound. */
  readonly problem?: string;
  /** The model came to the end of its tokens. */
  readonly isCutOff?: boolean;
  /** Tokens to ask for where it is asked again with more room. */
  readonly moreRoom?: number;
}

type Reading<Value> =
  | { readonly ok: true; readonly value: Value }
  | {
      readonly ok: false;
      readonly failureClass: "parse_error" | "validation_error" | "content_error" | "unsafe";
      readonly issues: readonly Issue[];
    };

/**
 * Returns a model's answer as a contract's value: from the record; else by a call with first aid, made again with more
 * room while the answer is cut off; then by one re-ask of the same model with the errors; otherwise the answer goes to
 * the ward, and its repair is returned here.
 */
export async function askModel<C extends Contract>(ask: AskRequest<C>): Promise<ContractOutput<C>> {
  const { answers } = ask.request;
  const healed = healedAnswerOf(ask.delivery, ask.step);
  if (healed !== undefined) return checkPayload(answers, healed);
  const first = await callWhole(ask, { round: 1 });
  const reading = withheld(ask, read(answers, first));
  if (reading.ok) return counted(ask, first, reading.value);
  const problems = reading.issues.map((issue) => `${issue.path || "/"}: ${issue.message}`).join("\n");
  const second = await callWhole(ask, { round: 2, reask: { previousAnswer: first.text, problems } });
  const again = withheld(ask, read(answers, second));
  if (again.ok) return counted(ask, second, again.value);
  throw new UnusableAnswerError({
    step: ask.step,
    text: second.text,
    contract: answers,
    model: second.model,
    failureClass: again.failureClass,
    issues: again.issues,
  });
}

/** Withholds an answer that leaks its instructions, if its agent declares that, unless a person has released it. */
function withheld<C extends Contract>(
  { delivery, request }: AskRequest<C>,
  reading: Reading<ContractOutput<C>>,
): Reading<ContractOutput<C>> {
  if (!reading.ok || delivery.place.agent.options.guard?.instructions !== "withhold") return reading;
  const issues = findRepeatedInstructions(reading.value, request.instructions);
  return issues.length === 0 ? reading : { ok: false, failureClass: "unsafe", issues };
}

/** Counts a well-formed answer of this delivery for its producer; a recorded one was counted before. */
function counted<C extends Contract>(
  { delivery, step, request }: AskRequest<C>,
  { model }: RecordedCall,
  value: ContractOutput<C>,
): ContractOutput<C> {
  if (!delivery.record.steps.has(`call/${step}/1`))
    countAnswer(delivery, { contract: request.answers, model });
  return value;
}

interface Round {
  readonly round: 1 | 2;
  readonly reask?: { readonly previousAnswer: string; readonly problems: string };
  /** Set where the round's answer was cut off: the tokens to ask for, and how often they were raised. */
  readonly room?: { readonly tokens: number; readonly nth: number };
}

async function callWhole<C extends Contract>(ask: AskRequest<C>, round: Round): Promise<RecordedCall> {
  return withMoreRoom(await callOnce(ask, round), {
    step: ask.step,
    logger: ask.delivery.place.logger,
    isWhole: (call) => read(ask.request.answers, call, { mayBeOpen: false }).ok,
    ask: (room) => callOnce(ask, { ...round, room }),
  });
}

async function callOnce<C extends Contract>(ask: AskRequest<C>, round: Round): Promise<RecordedCall> {
  const { delivery, step, request } = ask;
  const { place, record } = delivery;
  const input = JSON.stringify(request.input ?? null);
  const { room } = round;
  const name = `call/${step}/${round.round}${room === undefined ? "" : `/room-${room.nth}`}`;
  const asked = createHash("sha256")
    .update(
      JSON.stringify([
        request.instructions,
        input,
        request.answers.id,
        round.reask ?? null,
        ...namesOf(request.images),
      ]),
    )
    .digest("hex");
  const known = record.steps.get(name);
  const recorded = known === undefined ? null : readCall(known);
  if (recorded !== null && recorded.asked === asked) return recorded;
  assertAffordable(delivery);
  const question: ModelCall = {
    tier: tierOf(delivery, request.tier),
    ...formOf(request),
    input,
    schemaName: request.answers.id,
    jsonSchema: request.answers.jsonSchema,
    signal: ask.signal,
    timeoutMs: place.limits.modelTimeoutMs,
    agent: place.agent.id,
    step,
    ...(request.tokensMax === undefined ? {} : { tokensMax: request.tokensMax }),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(round.reask === undefined ? {} : { reask: round.reask }),
    ...(room === undefined ? {} : { room: room.tokens }),
  };
  const images = request.images === undefined ? [] : await readImages(request.images, ask.signal);
  const shown = images.length === 0 ? question : { ...question, images };
  return keep(ask, { name, call: { ...(await askBooked(delivery, shown)), asked } });
}

/** Calls the model and books its cost, also if there is no answer or it cannot be recorded. */
async function askBooked(delivery: Delivery, question: ModelCall): Promise<Omit<RecordedCall, "asked">> {
  const booking = delivery.spent.book();
  try {
    const answer = await delivery.spent.timed(() =>
      delivery.place.model.ask({
        ...question,
        onSending: (atMost) => {
          // More room is asked for only where all of it is covered.
          if (question.room !== undefined) assertAffordable(delivery, atMost());
          booking.open(atMost);
        },
      }),
    );
    booking.correct(toCost(answer));
    const cut = answer.finish === "length" ? { isCutOff: true } : {};
    const more = answer.moreRoom === undefined ? {} : { moreRoom: answer.moreRoom };
    return { text: answer.text, model: answer.model, ...toCost(answer), ...cut, ...more };
  } catch (error) {
    if (error instanceof ModelAnswerTooLargeError)
      return { text: "", model: error.model, ...booking.keepAtMost(), problem: error.message };
    // A model refusal costs like an answer; it is not recorded, because a retry may succeed.
    if (error instanceof ModelRefusalError) booking.correct(toCost(error.answer));
    else if (mayBePaid(error)) booking.keepAtMost();
    else booking.correct({ cost: 0, tokens: 0 });
    throw error;
  }
}

/** Returns a description of the answer's form, if the endpoint does not get its schema. */
function formOf<C extends Contract>({
  instructions,
  answers,
}: ModelRequest<C>): Pick<ModelCall, "instructions" | "answersIn"> {
  if (answers.options.answersIn !== "xml") return { instructions };
  return { instructions: `${instructions}\n\n${writeXmlForm(answers.jsonSchema)}`, answersIn: "xml" };
}

function toCost(answer: ModelAnswer): { readonly cost: number; readonly tokens: number } {
  return { cost: answer.cost, tokens: answer.usage.input_tokens + answer.usage.output_tokens };
}

async function keep<C extends Contract>(
  ask: AskRequest<C>,
  paid: { readonly name: string; readonly call: RecordedCall },
): Promise<RecordedCall> {
  crashPoint("W3:after_answer_before_record");
  ask.assertOpen();
  const { store } = ask.delivery.place;
  const result = JSON.stringify(paid.call);
  await store.ledger.recordStep(ask.delivery.hold, { name: paid.name, result });
  return paid.call;
}

/** Refuses a call without budget left: a limit of 0 allows none. @param next - What it costs at least. Default 0. */
function assertAffordable(delivery: Delivery, next = { cost: 0, tokens: 0 }): void {
  const billing = delivery.message?.envelope.billing;
  if (billing === undefined) return;
  const { cost, tokens } = delivery.spent.known;
  checkBudget(
    {
      ...billing,
      cost_so_far: billing.cost_so_far + cost,
      tokens_consumed: billing.tokens_consumed + tokens,
    },
    next,
  );
}

function read<C extends Contract>(
  contract: C,
  { text, problem, isCutOff = false }: Pick<RecordedCall, "text" | "problem" | "isCutOff">,
  { mayBeOpen }: { readonly mayBeOpen: boolean } = { mayBeOpen: true },
): Reading<ContractOutput<C>> {
  if (problem !== undefined) {
    const issue = { path: "", code: "answer_too_large", message: problem };
    return { ok: false, failureClass: "parse_error", issues: [issue] };
  }
  const xml = contract.options.answersIn === "xml" ? readXmlAnswer(text, contract.jsonSchema) : null;
  const fromXml = xml?.ok === true ? check(contract, xml.value) : null;
  if (fromXml?.ok === true || fromXml?.failureClass === "content_error") return fromXml;
  const strict = readStrict(contract, text);
  if (strict.ok || strict.failureClass === "content_error") return strict;
  const aided = firstAid(text, contract.jsonSchema);
  // Strict mode requires nulls for optional fields; the client removes them from clean JSON only.
  if (aided.ok && (mayBeOpen || !wasLeftOpen(aided.notes)))
    return check(contract, dropAddedNulls(aided.value, contract.jsonSchema));
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

function check<C extends Contract>(contract: C, value: unknown): Reading<ContractOutput<C>> {
  try {
    return { ok: true, value: checkPayload(contract, value) };
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

/** Returns a recorded step's cost if the step is a model call; null for any other. */
export function callOf(
  name: string,
  text: string,
): { readonly cost: number; readonly tokens: number } | null {
  return name.startsWith("call/") ? readCall(text) : null;
}

function readCall(text: string): RecordedCall {
  // Written by `keep` above, behind the fence.
  return JSON.parse(text) as RecordedCall;
}
