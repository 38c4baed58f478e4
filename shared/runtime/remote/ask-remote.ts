import { now } from "#shared/clock";
import { checkPayload } from "#shared/contract";
import type { Contract } from "#shared/contract";
import { accountOfStep } from "../accounts/step-account.ts";
import type { RemoteAnswer, RemoteReply, RemoteRequest } from "../define/handler-context.ts";
import { RunCancelledError, UnusableAnswerError } from "../errors.ts";
import { assertAffordable } from "../deliver/model-call.ts";
import type { Delivery, Message } from "../deliver/delivery.ts";
import { guardToolResult } from "../deliver/guard-delivery.ts";
import { healedAnswerOf } from "../deliver/healed-answer.ts";
import { readAnswer } from "../deliver/read-answer.ts";

interface RemoteStep<C extends Contract> {
  readonly delivery: Delivery & { readonly message: Message };
  readonly step: string;
  readonly request: RemoteRequest<C>;
  readonly signal: AbortSignal;
  readonly assertOpen: () => void;
}

/** Returns a remote answer as a contract's value, as `ctx.model`: recorded, billed once, first aid, else the ward. */
export async function askRemote<C extends Contract>(asked: RemoteStep<C>): Promise<RemoteAnswer<C>> {
  const { delivery, step, request } = asked;
  const { answers, from, taint } = request;
  const note = (value: unknown): void =>
    guardToolResult(delivery, { tool: step, label: taint, result: JSON.stringify(value ?? null) });
  const healed = healedAnswerOf(delivery, step);
  if (healed !== undefined) {
    note(healed);
    return { ok: true, value: checkPayload(answers, healed) };
  }
  const { reply, isNew } = await replyOf(asked);
  if ("failed" in reply) return { ok: false, failed: reply.failed, isNew };
  const reading = readAnswer(answers, reply);
  if (!reading.ok) {
    const { failureClass, issues } = reading;
    throw new UnusableAnswerError({
      step,
      text: reply.text,
      contract: answers,
      model: from,
      failureClass,
      issues,
    });
  }
  note(reading.value);
  return reading;
}

/** The step is recorded as a paid call is, so that its cost is counted once over all deliveries. */
async function replyOf<C extends Contract>({
  delivery,
  step,
  request,
  signal,
  assertOpen,
}: RemoteStep<C>): Promise<{ readonly reply: RemoteReply; readonly isNew: boolean }> {
  const { place, hold, record, spent } = delivery;
  const name = `call/${step}/remote`;
  const known = record.steps.get(name);
  // Written below, behind the fence.
  if (known !== undefined) return { reply: JSON.parse(known) as RemoteReply, isNew: false };
  assertAffordable(delivery);
  const startedMs = now();
  const isCancelled = (): Promise<boolean> => place.store.runs.isCancelled(hold.runId);
  const reply = await request.ask({ signal, isCancelled });
  if (await isCancelled()) throw new RunCancelledError(hold.runId);
  assertOpen();
  const result = JSON.stringify({ model: request.from, asked: "", ...reply });
  await place.store.ledger.recordStep(hold, { name, result, ...accountOfStep(delivery, startedMs) });
  spent.add(reply);
  return { reply, isNew: true };
}
