import { checkPayload } from "#shared/contract";
import type { Contract } from "#shared/contract";
import { SutureError } from "#shared/errors";
import type { BranchFailure, FanOutRecord } from "#shared/store/fan-outs";
import type { Gathered } from "../define/define-agent.ts";
import type { Workplace } from "../deliver/delivery.ts";
import { FanOutForgottenError, JoinNotReadyError } from "./errors.ts";

/** Answers of a fan-out's branches, and their cost. */
export interface GatheredBranches {
  readonly gathered: Gathered;
  /** In the run's currency. */
  readonly cost: number;
  readonly tokens: number;
  /** Taint labels of all answers. */
  readonly labels: readonly string[];
}

/** An answer as stored: unchanged, so that a newer join can read what an older one recorded. */
export interface KeptAnswer {
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

/**
 * Returns the answers of a fan-out's branches.
 *
 * @throws {JoinNotReadyError} Branches are still awaited: the message did not come from its fan-out.
 * @throws {FanOutForgottenError} The fan-out is unknown.
 */
export async function gather(
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
