import { checkPayload } from "#shared/contract";
import type { Contract } from "#shared/contract";
import { crashPoint } from "#shared/crash-points";
import { branchOf, joinOf } from "#shared/envelope";
import type { Branch } from "#shared/envelope";
import { SutureError } from "#shared/errors";
import { toFailure } from "#shared/failure";
import type { BranchFailure, FanOutRecord } from "#shared/store/fan-outs";
import type { Gathered } from "../define/define-agent.ts";
import type { Delivery, Message, Workplace } from "../deliver/delivery.ts";
import { labelsOfDelivery } from "../deliver/delivery.ts";
import { fail } from "../steps/settle.ts";
import { FanOutForgottenError, FanOutUnmetError, JoinNotReadyError, NotABranchError } from "./errors.ts";
import { toMicro } from "./settle-fan-out.ts";

/** At a joining agent records a branch's answer, or, for the message that waited, runs `handle` with all answers. */
export async function actAtJoin(
  delivery: Delivery,
  at: {
    readonly message: Message;
    readonly collects: Contract;
    readonly handle: (delivery: Delivery) => Delivery | Promise<Delivery>;
  },
): Promise<Delivery> {
  const { agent } = delivery.place;
  const { meta } = at.message.envelope;
  const fanOutId = joinOf(meta);
  if (fanOutId === null) {
    const branch = branchOf(meta);
    if (branch?.join === agent.name) return collect(delivery, { message: at.message, branch });
    return fail(delivery, new NotABranchError(agent.id), { direction: "run", contract: agent.accepts });
  }
  let branches: GatheredBranches;
  try {
    branches = await gather(delivery.place, { fanOutId, collects: at.collects });
  } catch (error) {
    if (!(error instanceof SutureError)) throw error;
    return fail(delivery, error, { direction: "run", contract: agent.accepts });
  }
  const { gathered } = branches;
  if (!gathered.isMet && agent.options.onUnmet !== "handle") return giveUp(delivery, gathered);
  for (const label of branches.labels) delivery.received.add(label);
  return at.handle(withGathered(delivery, { message: at.message, branches }));
}

function giveUp(delivery: Delivery, gathered: GatheredBranches["gathered"]): Delivery {
  const { agent } = delivery.place;
  const error = new FanOutUnmetError(agent.id, { total: gathered.total, answered: gathered.answers.length });
  const failure = toFailure(error, { agent: agent.id, contract: agent.accepts.id, direction: "run" });
  return { ...delivery, outcome: { kind: "gave_up", failure } };
}

/** Counts the branches' spending against the run's limits from here on; each branch has reported its own share. */
function withGathered(
  delivery: Delivery,
  { message, branches }: { readonly message: Message; readonly branches: GatheredBranches },
): Delivery {
  const { envelope } = message;
  const billing = {
    ...envelope.billing,
    cost_so_far: envelope.billing.cost_so_far + branches.cost,
    tokens_consumed: envelope.billing.tokens_consumed + branches.tokens,
  };
  return {
    ...delivery,
    gathered: branches.gathered,
    message: { ...message, envelope: { ...envelope, billing } },
  };
}

/** Records a branch's answer, once, and runs no handler. The message itself is settled like any other. */
async function collect(
  delivery: Delivery,
  { message, branch }: { readonly message: Message; readonly branch: Branch },
): Promise<Delivery> {
  const { place, hold } = delivery;
  const { meta, data_payload, billing } = message.envelope;
  const labels = labelsOfDelivery(delivery);
  const answer: KeptAnswer = {
    agent: meta.source_agent,
    contract: meta.contract,
    payload: data_payload,
    ...(labels.length === 0 ? {} : { labels }),
  };
  const as = await place.store.fanOuts.collect(place.agent.name, {
    runId: hold.runId,
    fanOutId: branch.fan_out,
    index: branch.index,
    answer: JSON.stringify(answer),
    messageId: hold.messageId,
    costMicro: toMicro(billing.cost_so_far),
    tokens: billing.tokens_consumed,
  });
  crashPoint("W20:after_collect_before_commit");
  if (as !== "counted") {
    place.logger.info(
      { message_id: hold.messageId, fan_out: branch.fan_out, branch: branch.index, as },
      "a branch came back and is not counted",
    );
  }
  return { ...delivery, outcome: { kind: "collected", as, branch } };
}

/** Answers of a fan-out's branches, and their cost. */
interface GatheredBranches {
  readonly gathered: Gathered;
  /** In the run's currency. */
  readonly cost: number;
  readonly tokens: number;
  /** Taint labels of all answers. */
  readonly labels: readonly string[];
}

/** An answer as stored: unchanged, so that a newer join can read what an older one recorded. */
interface KeptAnswer {
  /** `name@version` of its author. */
  readonly agent: string;
  /** The contract's id. */
  readonly contract: string;
  readonly payload: unknown;
  /** Taint labels of the outside text that its authors had read. Default: none. */
  readonly labels?: readonly string[];
}

type Reading =
  | { readonly answer: Gathered["answers"][number]; readonly labels: readonly string[] }
  | { readonly failure: BranchFailure };

/** Returns the answers of a fan-out's branches. @throws {JoinNotReadyError} Some are awaited. {FanOutForgottenError} */
async function gather(
  place: Workplace,
  asked: { readonly fanOutId: string; readonly collects: Contract },
): Promise<GatheredBranches> {
  const { agent, store } = place;
  const [record, answers] = await Promise.all([
    store.fanOuts.find(agent.name, asked.fanOutId),
    store.fanOuts.answers(agent.name, asked.fanOutId),
  ]);
  if (record === null) throw new FanOutForgottenError(agent.id, asked.fanOutId);
  if (record.firedBy === null) throw new JoinNotReadyError(agent.id, asked.fanOutId);
  const readings = record.states.map((_, index) => {
    const text = answers.get(index);
    if (text === undefined) return { failure: failureOf(record, index) };
    return readAnswer(place, { index, text, collects: asked.collects });
  });
  const found = readings.flatMap((reading) => ("answer" in reading ? [reading.answer] : []));
  return {
    cost: record.costMicro / 1_000_000,
    tokens: record.tokens,
    labels: readings.flatMap((reading) => ("answer" in reading ? reading.labels : [])),
    gathered: {
      total: record.total,
      isMet: found.length >= record.least,
      answers: found,
      failures: readings.flatMap((reading, index) =>
        "failure" in reading ? [{ index, ...reading.failure }] : [],
      ),
    },
  };
}

function failureOf(record: FanOutRecord, index: number): BranchFailure {
  const known = record.failures.get(index);
  if (known !== undefined) return known;
  return { reason: record.states[index] === "held" ? "not_started" : "unanswered" };
}

function readAnswer(
  { team }: Workplace,
  kept: { readonly index: number; readonly text: string; readonly collects: Contract },
): Reading {
  // Written by `collect` as a KeptAnswer.
  const { agent, contract, payload, labels = [] } = JSON.parse(kept.text) as KeptAnswer;
  try {
    const value = checkPayload(kept.collects, team.contracts.upcast(contract, kept.collects, payload));
    return { answer: { index: kept.index, agent, value }, labels };
  } catch (error) {
    if (!(error instanceof SutureError)) throw error;
    return { failure: { reason: "unreadable", code: error.code } };
  }
}
