import { createHash } from "node:crypto";
import { now } from "#shared/clock";
import { checkPayload, PayloadContentError, PayloadInvalidError } from "#shared/contract";
import type { Contract, ContractOutput } from "#shared/contract";
import { crashPoint } from "#shared/crash-points";
import { checkBudget } from "#shared/envelope/limits";
import { repeatsName } from "#shared/envelope/json";
import type { Issue } from "#shared/errors";
import { findRepeatedInstructions } from "#shared/guard";
import { dropAddedNulls, mayBePaid, ModelAnswerTooLargeError, ModelRefusalError } from "#shared/model";
import type { ModelAnswer, ModelCall, ModelImage } from "#shared/model";
import { firstAid, readXmlAnswer, writeXmlForm } from "#shared/repair";
import type { ModelRequest } from "../define/model-request.ts";
import { countAnswer } from "../settle/count-outputs.ts";
import type { Delivery } from "./delivery.ts";
import { tierOf } from "../define/tier-of.ts";
import { UnusableAnswerError } from "../errors.ts";
import { healedAnswerOf } from "./healed-answer.ts";
import { spanContentOf } from "../accounts/span-content.ts";
import { accountOfCall } from "../accounts/step-account.ts";

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
}

type Reading<Value> =
  | { readonly ok: true; readonly value: Value }
  | {
      readonly ok: false;
      readonly failureClass: "parse_error" | "validation_error" | "content_error" | "unsafe";
      readonly issues: readonly Issue[];
    };

/**
 * Returns a model's answer as a contract's value: from the record; else by a call with first aid; then by one re-ask
 * of the same model with the errors; otherwise the answer goes to the ward, and its repair is returned here.
 */
export async function askModel<C extends Contract>(ask: AskRequest<C>): Promise<ContractOutput<C>> {
  const { answers } = ask.request;
  const healed = healedAnswerOf(ask.delivery, ask.step);
  if (healed !== undefined) return checkPayload(answers, healed);
  const first = await callOnce(ask, { round: 1 });
  const reading = withheld(ask, read(answers, first));
  if (reading.ok) return counted(ask, first, reading.value);
  const problems = reading.issues.map((issue) => `${issue.path || "/"}: ${issue.message}`).join("\n");
  const second = await callOnce(ask, { round: 2, reask: { previousAnswer: first.text, problems } });
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
}

async function callOnce<C extends Contract>(ask: AskRequest<C>, round: Round): Promise<RecordedCall> {
  const { delivery, step, request } = ask;
  const { place, record } = delivery;
  const input = JSON.stringify(request.input ?? null);
  const name = `call/${step}/${round.round}`;
  const asked = createHash("sha256")
    .update(
      JSON.stringify([
        request.instructions,
        input,
        request.answers.id,
        round.reask ?? null,
        ...imagesOf(request),
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
    ...spanContentOf(delivery, request.answers.id),
    ...(request.tokensMax === undefined ? {} : { tokensMax: request.tokensMax }),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(round.reask === undefined ? {} : { reask: round.reask }),
  };
  const images = request.images === undefined ? [] : await readImages(request, ask.signal);
  const shown = images.length === 0 ? question : { ...question, images };
  const startedMs = now();
  const call = { ...(await askBooked(delivery, shown)), asked };
  return keep(ask, { name, call, startedMs, question, problems: round.reask?.problems });
}

/** Calls the model and books its cost, also if there is no answer or it cannot be recorded. */
async function askBooked(delivery: Delivery, question: ModelCall): Promise<Omit<RecordedCall, "asked">> {
  const booking = delivery.spent.book();
  try {
    const answer = await delivery.spent.timed(() =>
      delivery.place.model.ask({ ...question, onSending: (atMost) => booking.open(atMost) }),
    );
    booking.correct(toCost(answer));
    return { text: answer.text, model: answer.model, ...toCost(answer) };
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

function imagesOf<C extends Contract>({ images = [] }: ModelRequest<C>): string[] {
  return images.map(({ sha256 }) => sha256);
}

async function readImages<C extends Contract>(
  { images = [] }: ModelRequest<C>,
  signal: AbortSignal,
): Promise<ModelImage[]> {
  const loaded: ModelImage[] = [];
  for (const image of images) loaded.push({ mimeType: image.mimeType, bytes: await image.read(signal) });
  return loaded;
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
  paid: {
    readonly name: string;
    readonly call: RecordedCall;
    readonly startedMs: number;
    readonly question: ModelCall;
    readonly problems: string | undefined;
  },
): Promise<RecordedCall> {
  crashPoint("W3:after_answer_before_record");
  ask.assertOpen();
  const { store } = ask.delivery.place;
  const result = JSON.stringify(paid.call);
  const { tier, instructions, input, schemaName: contract } = paid.question;
  const account = accountOfCall(ask.delivery, {
    ...paid,
    contract,
    tier,
    instructions,
    input,
    images: ask.request.images?.length ?? 0,
  });
  await store.ledger.recordStep(ask.delivery.hold, { name: paid.name, result, ...account });
  return paid.call;
}

/** Refuses a call without budget left: a limit of 0 allows none. */
function assertAffordable(delivery: Delivery): void {
  const billing = delivery.message?.envelope.billing;
  if (billing === undefined) return;
  const { cost, tokens } = delivery.spent.known;
  checkBudget(
    {
      ...billing,
      cost_so_far: billing.cost_so_far + cost,
      tokens_consumed: billing.tokens_consumed + tokens,
    },
    { cost: 0, tokens: 0 },
  );
}

function read<C extends Contract>(
  contract: C,
  { text, problem }: Pick<RecordedCall, "text" | "problem">,
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
  return aided.ok ? check(contract, dropAddedNulls(aided.value, contract.jsonSchema)) : strict;
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
