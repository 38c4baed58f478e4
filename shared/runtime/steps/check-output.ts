import { checkPayload } from "#shared/contract";
import type { Contract } from "#shared/contract";
import { checkBudget } from "#shared/envelope/limits";
import { redactValue } from "#shared/guard";
import { toFailure } from "#shared/failure";
import { SutureError, defineError } from "#shared/errors";
import type { Failure, Issue } from "#shared/errors";
import { countHandoffs } from "../settle/count-handoffs.ts";
import type { HandoffDraft } from "../define/handler-context.ts";
import type { Delivery, Message, CheckedFanOut, CheckedHandoff, Outcome } from "../deliver/delivery.ts";
import { assertJson, assertJsonDraft, toJsonText } from "../deliver/json-result.ts";
import { UndeclaredTransitionError } from "../errors.ts";
import { typeOfHandoff } from "../deliver/check-handoff.ts";
import { HANDOFF_TYPE_DEFAULT } from "../define/check-team.ts";
import { NotAJoinError } from "../fan-out/errors.ts";
import { chooseCapable } from "./choose-capable.ts";
import { fail } from "./settle.ts";

/**
 * Chooses the receivers of handoffs by capability, then checks the output. Only these need Redis.
 */
export function checkOutput(delivery: Delivery): Delivery | Promise<Delivery> {
  const { outcome, message } = delivery;
  if (outcome === null || message === null) return delivery;
  const handoffs = handoffsOf(outcome);
  return handoffs.some(({ draft }) => draft.capability !== undefined)
    ? checkAddressed({ ...delivery, message }, outcome, handoffs)
    : checkOutcome(delivery);
}

function handoffsOf(outcome: Outcome): readonly CheckedHandoff[] {
  if (outcome.kind === "handed_off") return outcome.handoffs;
  return outcome.kind === "fanned_out" ? outcome.fanOut.branches : [];
}

async function checkAddressed(
  delivery: Opened,
  outcome: Outcome,
  handoffs: readonly CheckedHandoff[],
): Promise<Delivery> {
  const addressed = await chooseCapable(delivery, handoffs);
  if (outcome.kind === "handed_off")
    return checkOutcome({ ...delivery, outcome: { ...outcome, handoffs: addressed } });
  if (outcome.kind === "fanned_out") {
    const fanOut = { ...outcome.fanOut, branches: addressed };
    return checkOutcome({ ...delivery, outcome: { ...outcome, fanOut } });
  }
  return checkOutcome(delivery);
}

/**
 * Checks the output against the team's graph, the receivers' contracts and the budget. A malformed payload fails its
 * handoff, not the agent's work, which is done and not repeated.
 */
function checkOutcome(delivery: Delivery): Delivery | Promise<Delivery> {
  const { outcome, place, message } = delivery;
  if (outcome === null || message === null) return delivery;
  try {
    if (outcome.kind === "completed") return checkResult(delivery, outcome.result);
    if (outcome.kind === "handed_off") {
      const { length } = outcome.handoffs;
      const handoffs = checkHandoffs({ ...delivery, message }, outcome.handoffs);
      const checked: Delivery = { ...delivery, outcome: { kind: "handed_off", handoffs } };
      // Chains are bounded by hops; only several handoffs at once can multiply.
      return length <= 1 ? checked : countHandoffs(checked, length);
    }
    if (outcome.kind === "fanned_out") {
      const fanOut = checkFanOut({ ...delivery, message }, outcome.fanOut);
      return countHandoffs(
        { ...delivery, outcome: { kind: "fanned_out", fanOut } },
        fanOut.branches.length + 1,
      );
    }
    return delivery;
  } catch (error) {
    return fail(delivery, error, { direction: "out", contract: place.agent.accepts });
  }
}

type Opened = Delivery & { readonly message: Message };

function checkResult(delivery: Delivery, made: unknown): Delivery {
  const { place } = delivery;
  // Before the redaction, which copies what it can read.
  assertJson(made, place.agent.id);
  const result = withoutSensitive(delivery, made);
  const text = toJsonText(result, { agent: place.agent.id, bytesMax: place.limits.resultBytesMax });
  const declared = place.team.options.result;
  if (declared !== undefined) checkDeclared(place.agent.id, declared, result);
  // A handler may return an outcome that `ctx.complete` did not make; its result is converted to plain JSON.
  return { ...delivery, outcome: { kind: "completed", result: JSON.parse(text) } };
}

/** @throws {ResultInvalidError} */
function checkDeclared(agentId: string, declared: Contract, result: unknown): void {
  try {
    checkPayload(declared, result);
  } catch (error) {
    if (!(error instanceof SutureError)) throw error;
    throw new ResultInvalidError(agentId, declared.id, error.issues);
  }
}

function checkHandoffs(delivery: Opened, handoffs: readonly CheckedHandoff[]): CheckedHandoff[] {
  const { place, message } = delivery;
  // A handler may return an outcome that its context did not make.
  for (const { draft } of handoffs) assertJsonDraft(draft, place.agent.id);
  const declared = handoffs.map(({ draft }) => asDeclared(delivery, draft));
  const { billing } = message.envelope;
  checkBudget({
    ...billing,
    cost_so_far: billing.cost_so_far + delivery.spent.cost,
    tokens_consumed: billing.tokens_consumed + delivery.spent.tokens,
  });
  return declared.map((draft) => ({ draft, failure: findFault(delivery, draft) }));
}

/** Checks a handoff against the team's graph, and fills in the default type of its edge. */
function asDeclared({ place }: Opened, draft: HandoffDraft): HandoffDraft {
  const { agent, team } = place;
  if (agent.to[draft.to] === undefined) throw new UndeclaredTransitionError(agent.id, draft.to);
  const said = draft.options.handoffType;
  const type = typeOfHandoff(team, { from: agent.name, to: draft.to, said });
  const isSaid = type === (said ?? HANDOFF_TYPE_DEFAULT);
  return isSaid ? draft : { ...draft, options: { ...draft.options, handoffType: type } };
}

/** The waiting message must be valid, because its branches could not learn that it is not. */
function checkFanOut(delivery: Opened, fanOut: CheckedFanOut): CheckedFanOut {
  const { place } = delivery;
  const { to, contract, payload } = fanOut.join;
  assertJsonDraft(fanOut.join, place.agent.id);
  const join = asDeclared(delivery, fanOut.join);
  const joining = place.team.agents.get(to);
  if (joining?.options.collects === undefined || joining.accepts.name !== contract.name)
    throw new NotAJoinError(place.agent.id, to);
  checkPayload(contract, payload);
  return { ...fanOut, join, branches: checkHandoffs(delivery, fanOut.branches) };
}

/** Removes sensitive data from a result before it leaves the team and is stored. */
function withoutSensitive({ place, hold }: Delivery, result: unknown): unknown {
  const { redacts } = place.team.options;
  if (redacts === undefined) return result;
  const { value, found } = redactValue(result, redacts);
  if (Object.keys(found).length > 0)
    place.logger.info(
      { message_id: hold.messageId, redacted: found },
      "sensitive data was taken out of a result",
    );
  return value;
}

function findFault(delivery: Delivery, draft: HandoffDraft): Failure | null {
  try {
    checkPayload(draft.contract, draft.payload);
    return null;
  } catch (error) {
    return toFailure(error, {
      agent: delivery.place.agent.id,
      contract: draft.contract.id,
      direction: "out",
      promptVersion: delivery.place.agent.options.promptVersion ?? "1",
    });
  }
}

/** A result does not match the contract that its team declares for results. The agent's bug. */
class ResultInvalidError extends defineError((agent: string, contract: string, issues: readonly Issue[]) => ({
  code: "RESULT_INVALID",
  failureClass: "handler_error",
  message: `A result of ${agent} does not satisfy ${contract}, which its team declares for results.`,
  remedy: "Correct the handler, or the contract in the option `result` of the team.",
  issues,
})) {}
