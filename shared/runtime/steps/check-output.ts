import { createHash } from "node:crypto";
import { checkPayload } from "#shared/contract";
import type { Contract } from "#shared/contract";
import { agentNameOf } from "#shared/envelope";
import { checkBudget } from "#shared/envelope/limits";
import { redactValue } from "#shared/guard";
import { toFailure } from "#shared/failure";
import { SutureError, defineError } from "#shared/errors";
import type { Failure, Issue } from "#shared/errors";
import type { HandoffDraft } from "../define/handler-context.ts";
import type { Delivery, Message, CheckedFanOut, CheckedHandoff, Outcome } from "../deliver/delivery.ts";
import { assertJson, assertJsonDraft, toJsonText } from "../deliver/json-result.ts";
import { UndeclaredTransitionError } from "../errors.ts";
import { typeOfHandoff } from "../deliver/check-handoff.ts";
import { handoffsOf } from "../deliver/report-delivery.ts";
import { HANDOFF_TYPE_DEFAULT, capableOf } from "../define/check-team.ts";
import { HandoffBudgetExceededError, NotAJoinError } from "../fan-out/errors.ts";
import { fail } from "./settle.ts";

/** Chooses the receivers of handoffs by capability, then checks the output. Only these need Redis. */
export function checkOutput(delivery: Delivery): Delivery | Promise<Delivery> {
  const { outcome, message } = delivery;
  if (outcome === null || message === null) return delivery;
  const opened = { ...delivery, message };
  const handoffs = handoffsOf(outcome);
  if (!handoffs.some(({ draft }) => draft.capability !== undefined)) return checkOutcome(opened, outcome);
  return chooseCapable(opened, handoffs).then((chosen) =>
    checkOutcome(opened, withHandoffs(outcome, chosen)),
  );
}

function withHandoffs(outcome: Outcome, handoffs: readonly CheckedHandoff[]): Outcome {
  if (outcome.kind === "handed_off") return { ...outcome, handoffs };
  return outcome.kind === "fanned_out"
    ? { ...outcome, fanOut: { ...outcome.fanOut, branches: handoffs } }
    : outcome;
}

/** Checks output against graph, contracts and budget; a malformed payload fails its handoff, not the work done. */
function checkOutcome(opened: Opened, outcome: Outcome): Delivery | Promise<Delivery> {
  const delivery = { ...opened, outcome };
  try {
    if (outcome.kind === "completed") return checkResult(delivery, outcome.result);
    if (outcome.kind === "handed_off") {
      const { length } = outcome.handoffs;
      const handoffs = checkHandoffs(opened, outcome.handoffs);
      const checked: Delivery = { ...delivery, outcome: { kind: "handed_off", handoffs } };
      // Chains are bounded by hops; only several handoffs at once can multiply.
      return length <= 1 ? checked : countHandoffs(checked, length);
    }
    if (outcome.kind === "fanned_out") {
      const fanOut = checkFanOut(opened, outcome.fanOut);
      const checked: Delivery = { ...delivery, outcome: { kind: "fanned_out", fanOut } };
      return countHandoffs(checked, fanOut.branches.length + 1);
    }
    return delivery;
  } catch (error) {
    return fail(delivery, error, { direction: "out", contract: opened.place.agent.accepts });
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

/** Default maximum of handoffs per message. */
const OF_MESSAGE_MAX = 1000;

/** Default maximum of handoffs per run. */
const OF_RUN_MAX = 10_000;

/** Checks a message's handoffs against the limits of agent and run; repeats are not counted twice. */
async function countHandoffs(delivery: Delivery, count: number): Promise<Delivery> {
  const { place, hold } = delivery;
  const { agent, team } = place;
  const ofMessageMax = agent.options.handoffsMax ?? OF_MESSAGE_MAX;
  const ofRunMax = team.options.handoffsMax ?? OF_RUN_MAX;
  const refuse = (field: string, limit: { readonly made: number; readonly max: number }): Delivery =>
    fail(delivery, new HandoffBudgetExceededError(field, { ...limit, asked: count }), {
      direction: "run",
      contract: agent.accepts,
    });
  if (count > ofMessageMax) return refuse(`${agent.id}/handoffsMax`, { made: 0, max: ofMessageMax });
  const wanted = { messageId: hold.messageId, count, max: ofRunMax };
  const made = await place.store.runs.refuseHandoffs(hold.runId, wanted);
  return made === null ? delivery : refuse(`${team.name}/handoffsMax`, { made, max: ofRunMax });
}

/** Ledger step with the chosen receivers, by index among the handoffs of the outcome and capability. */
const STEP = "capable";

/** Chooses and records receivers by capability: those at work, spread evenly; else it waits for one of all. */
async function chooseCapable(
  delivery: Opened,
  handoffs: readonly CheckedHandoff[],
): Promise<CheckedHandoff[]> {
  const { place, hold, record } = delivery;
  const recorded = record.steps.get(STEP);
  const result = recorded ?? JSON.stringify(Object.fromEntries(await chooseAll(delivery, handoffs)));
  const kept = recorded ?? (await place.store.ledger.recordStep(hold, { name: STEP, result }));
  // Written by the lines above.
  const chosen = new Map(Object.entries(JSON.parse(kept) as Record<string, string>));
  return handoffs.map(({ draft, failure }, index) => ({
    draft: { ...draft, to: chosen.get(keyOf(draft, index)) ?? draft.to },
    failure,
  }));
}

function keyOf({ capability = "" }: HandoffDraft, index: number): string {
  return `${index}/${capability}`;
}

async function chooseAll(
  delivery: Opened,
  handoffs: readonly CheckedHandoff[],
): Promise<Map<string, string>> {
  const receivers = new Map<string, readonly string[]>();
  const chosen = new Map<string, string>();
  for (const [index, { draft }] of handoffs.entries()) {
    const { capability } = draft;
    if (capability === undefined) continue;
    const own = receivers.get(capability) ?? (await findReceivers(delivery, capability));
    receivers.set(capability, own);
    const key = keyOf(draft, index);
    const to = own[pointOf(`${delivery.hold.messageId}/${key}`) % own.length];
    if (to !== undefined) chosen.set(key, to);
  }
  return chosen;
}

/** Returns the receivers at work, or all of them if none is, without those that would make the work a loop. */
async function findReceivers(delivery: Opened, capability: string): Promise<readonly string[]> {
  const { place, message } = delivery;
  const { team, agent } = place;
  const passed = new Set(message.envelope.meta.path.map(agentNameOf));
  const all = capableOf(agent.name, capability, team.agents).map(({ name }) => name);
  const mayGo = (to: string): boolean =>
    !passed.has(to) || team.edges.some((edge) => edge.from === agent.name && edge.to === to && edge.loop);
  const reachable = all.filter(mayGo);
  const candidates = reachable.length === 0 ? all : reachable;
  const healthy = await keepHealthy(delivery, candidates);
  return healthy.length === 0 ? candidates : healthy;
}

async function keepHealthy({ place }: Delivery, candidates: readonly string[]): Promise<string[]> {
  const { store, team } = place;
  const live = new Set(
    (await store.registry.live())
      .filter((one) => one.team === team.name && (one.state ?? "working") === "working")
      .filter(({ waits_for_model: waits }) => waits === undefined)
      .map((one) => one.agent),
  );
  const working = candidates.filter((to) => live.has(to));
  const paused = await Promise.all(working.map((to) => store.queues.of(to, "fresh").isPaused()));
  return working.filter((_, at) => paused[at] !== true);
}

/** Returns an evenly spread integer for a text. */
function pointOf(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE(0);
}

/** A result does not match the contract that its team declares for results. The agent's bug. */
class ResultInvalidError extends defineError((agent: string, contract: string, issues: readonly Issue[]) => ({
  code: "RESULT_INVALID",
  failureClass: "handler_error",
  message: `A result of ${agent} does not satisfy ${contract}, which its team declares for results.`,
  remedy: "Correct the handler, or the contract in the option `result` of the team.",
  issues,
})) {}
