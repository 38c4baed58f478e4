import { createHash } from "node:crypto";
import { now } from "#shared/clock";
import { tenantOfUser } from "#shared/config";
import { checkPayload } from "#shared/contract";
import type { Contract, ContractOutput } from "#shared/contract";
import { crashPoint } from "#shared/crash-points";
import { findRepeatedInstructions } from "#shared/guard";
import { isFailedGeneration, mayBePaid, ModelAnswerTooLargeError, ModelRefusalError } from "#shared/model";
import type { ModelAnswer, ModelCall } from "#shared/model";
import { writeXmlForm } from "#shared/repair";
import type { ModelRequest } from "../define/handler-context.ts";
import { countOutput } from "../settle/count-outputs.ts";
import { readCall, assertAffordable, preferredModel, tierOf, readImages } from "./model-call.ts";
import type { AskRequest, MadeCall, Round } from "./model-call.ts";
import type { Delivery } from "./delivery.ts";
import { UnusableAnswerError } from "../errors.ts";
import { inputAfter, notingTimeOut } from "./after-time-out.ts";
import { healedAnswerOf } from "./healed-answer.ts";
import { spanContentOf } from "../accounts/span-content.ts";
import { withHigherLimit, readAnswer } from "./read-answer.ts";
import type { Reading } from "./read-answer.ts";
import type { Tool } from "../tools/define-tool.ts";
import { mendCall, readPromptCalls } from "../tools/read-calls.ts";
import { noteTools, useTools } from "../tools/tool-loop.ts";
import { accountOfCall } from "../accounts/step-account.ts";
import { findTooLong } from "./read-terms.ts";

/**
 * Returns a model's answer as a contract's value: from the record; else by a call with first aid, made again with more
 * room while the answer is cut off; then by one re-ask of the same model with the errors; otherwise the answer goes to
 * the ward, and its repair is returned here.
 */
export async function askModel<C extends Contract>(ask: AskRequest<C>): Promise<ContractOutput<C>> {
  const { answers } = ask.request;
  const healed = healedAnswerOf(ask.delivery, ask.step);
  if (healed !== undefined) {
    noteTools(ask);
    return checkPayload(answers, healed);
  }
  const { exchange, answer } = await useTools(ask, (round) => callWhole(ask, round));
  const first = answer ?? (await callWhole(ask, { name: "1", exchange }));
  const reading = guardReading(ask, readAnswer(answers, first));
  if (reading.ok) return counted(ask, first, reading.value);
  const problems = reading.issues.map((issue) => `${issue.path || "/"}: ${issue.message}`).join("\n");
  const second = await callWhole(ask, {
    name: "2",
    exchange,
    reask: { previousAnswer: first.text, problems },
  });
  const again = guardReading(ask, readAnswer(answers, second));
  if (again.ok) return counted(ask, second, again.value);
  throw new UnusableAnswerError({
    step: ask.step,
    text: second.text,
    ending: second.isCutOff === true ? "cut" : second.isWhole === true ? "whole" : undefined,
    contract: answers,
    model: second.model,
    failureClass: again.failureClass,
    issues: again.issues,
  });
}

/** Withholds an answer longer than its task allows, or that leaks instructions, unless declared or released. */
function guardReading<C extends Contract>(
  { delivery, request }: AskRequest<C>,
  reading: Reading<ContractOutput<C>>,
): Reading<ContractOutput<C>> {
  if (!reading.ok) return reading;
  const { guard } = delivery.place.agent.options;
  const envelope = delivery.message?.envelope;
  const { wordsIn = [] } = request;
  const issues = [
    ...(guard?.instructions === "share" ? [] : findRepeatedInstructions(reading.value, request.instructions)),
    ...(envelope === undefined ? [] : findTooLong(reading.value, { wordsIn, envelope })),
  ];
  return issues.length === 0 ? reading : { ok: false, failureClass: "unsafe", issues };
}

/** Counts a well-formed answer of this delivery for its producer; a recorded one was counted before. */
function counted<C extends Contract>(
  { delivery, step, request }: AskRequest<C>,
  { model }: MadeCall,
  value: ContractOutput<C>,
): ContractOutput<C> {
  const { steps } = delivery.record;
  if (!steps.has(`call/${step}/1`) && !steps.has(`call/${step}/t1`))
    countOutput(delivery, { contract: request.answers, model });
  return value;
}

async function callWhole<C extends Contract>(ask: AskRequest<C>, round: Round): Promise<MadeCall> {
  return withHigherLimit(await callOnce(ask, round), {
    step: ask.step,
    logger: ask.delivery.place.logger,
    // Calls of an answer that was cut off are not run: one may be incomplete, and others may be missing.
    isWhole: (call) => readAnswer(ask.request.answers, call, { mayBeOpen: false }).ok,
    ask: (room) => callOnce(ask, { ...round, room }),
  });
}

async function callOnce<C extends Contract>(ask: AskRequest<C>, round: Round): Promise<MadeCall> {
  const { delivery, step, request } = ask;
  const { place, record } = delivery;
  const input = JSON.stringify(request.input ?? null);
  const { room } = round;
  const name = `call/${step}/${round.name}${room === undefined ? "" : `/room-${room.nth}`}`;
  const asked = createHash("sha256")
    .update(
      JSON.stringify([
        request.instructions,
        input,
        request.answers.id,
        round.reask ?? null,
        (request.images ?? []).map(({ sha256 }) => sha256),
        toolParts(round),
        request.perspective ?? null,
      ]),
    )
    .digest("hex");
  const known = record.steps.get(name);
  const recorded = known === undefined ? null : readCall(known);
  if (recorded !== null && recorded.asked === asked) return recorded;
  assertAffordable(delivery);
  const { input: sent, shortened } = inputAfter(ask);
  const tier = tierOf(delivery, request.tier);
  const preferred = preferredModel(delivery, tier);
  const question: ModelCall = {
    tier,
    ...(preferred === undefined ? {} : { model: preferred }),
    ...formOf(request),
    input: shortened.length === 0 ? input : JSON.stringify(sent),
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
    ...(room === undefined ? {} : { room: room.tokens }),
    ...toolParts(round),
  };
  const images = request.images === undefined ? [] : await readImages(request.images, ask.signal);
  const shown = images.length === 0 ? question : { ...question, images };
  const startedMs = now();
  const { perspective } = request;
  const told = {
    ...(perspective === undefined ? {} : { perspective }),
    ...(shortened.length === 0 ? {} : { shortened }),
  };
  const call = {
    ...(await notingTimeOut(ask, () => askBooked(delivery, shown, round.tools))),
    asked,
    ...told,
  };
  return keep(ask, { name, call, startedMs, question, problems: round.reask?.problems });
}

/** Calls the model and books its cost, also if there is no answer or it cannot be recorded. */
async function askBooked(
  delivery: Delivery,
  question: ModelCall,
  offered: readonly Tool[] = [],
): Promise<Omit<MadeCall, "asked">> {
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
    countCall(delivery, answer.model, toCost(answer));
    const cut = { length: { isCutOff: true }, stop: { isWhole: true }, refusal: {}, other: {} }[
      answer.finish
    ];
    const more = answer.higherLimit === undefined ? {} : { higherLimit: answer.higherLimit };
    return {
      text: answer.text,
      model: answer.model,
      ...toCost(answer),
      ...cut,
      ...more,
      ...callsOf(answer, offered),
    };
  } catch (error) {
    const model = question.model ?? delivery.place.model.modelFor(question.tier);
    if (error instanceof ModelAnswerTooLargeError || isFailedGeneration(error)) {
      const cost = booking.keepAtMost();
      countCall(delivery, model, cost);
      return { text: "", model, ...cost, problem: error.message };
    }
    // A model refusal costs like an answer; it is not recorded, because a retry may succeed.
    if (error instanceof ModelRefusalError) {
      booking.correct(toCost(error.answer));
      countCall(delivery, error.answer.model, toCost(error.answer));
    } else if (mayBePaid(error)) countCall(delivery, model, booking.keepAtMost());
    else booking.correct({ cost: 0, tokens: 0 });
    throw error;
  }
}

/** Counts a call that may be billed, for the team, the agent, the model and the tenant. */
function countCall({ place, message }: Delivery, model: string, paid: ReturnType<typeof toCost>): void {
  const tenant = tenantOfUser(message?.envelope.user_context.user_id ?? null);
  place.counter.countCall({ team: place.team.name, agent: place.agent.name, model, tenant }, paid);
}

function toolParts({ tools = [], exchange }: Round): Pick<ModelCall, "tools" | "exchange"> {
  return {
    ...(tools.length === 0
      ? {}
      : { tools: tools.map(({ name, description, jsonSchema }) => ({ name, description, jsonSchema })) }),
    ...(exchange.length === 0 ? {} : { exchange }),
  };
}

function callsOf(
  { tools, text }: ModelAnswer,
  offered: readonly Tool[],
): Pick<MadeCall, "calls" | "toolsBy"> {
  if (tools === undefined) return {};
  const calls = tools.by === "prompt" ? readPromptCalls(text) : tools.calls;
  return { calls: calls.map((call) => mendCall(call, offered)), toolsBy: tools.by };
}

/** Returns the instructions, with a description of the answer's form if the endpoint does not get its schema. */
function formOf<C extends Contract>({
  instructions,
  answers,
  perspective,
}: ModelRequest<C>): Pick<ModelCall, "instructions" | "answersIn"> {
  const isXml = answers.options.answersIn === "xml";
  // The parts that are the same in all calls come first, so that providers find them in their caches.
  const parts = [instructions, isXml ? writeXmlForm(answers.jsonSchema) : "", perspective ?? ""];
  const whole = parts.filter((part) => part !== "").join("\n\n");
  return isXml ? { instructions: whole, answersIn: "xml" } : { instructions: whole };
}

function toCost(answer: ModelAnswer): { readonly cost: number; readonly tokens: number } {
  return { cost: answer.cost, tokens: answer.usage.input_tokens + answer.usage.output_tokens };
}

async function keep<C extends Contract>(
  ask: AskRequest<C>,
  paid: {
    readonly name: string;
    readonly call: MadeCall;
    readonly startedMs: number;
    readonly question: ModelCall;
    readonly problems: string | undefined;
  },
): Promise<MadeCall> {
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

/** Returns a recorded step's cost if the step is a model call; null for any other. */
export function callOf(
  name: string,
  text: string,
): { readonly cost: number; readonly tokens: number } | null {
  return name.startsWith("call/") ? readCall(text) : null;
}

/** A recorded step as another message takes it over: a model call in it was paid for, and costs nothing more. */
export function asPaid(name: string, text: string): string {
  return name.startsWith("call/") ? JSON.stringify({ ...readCall(text), cost: 0, tokens: 0 }) : text;
}
