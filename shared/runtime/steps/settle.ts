import { ApprovalNeededError } from "#shared/context";
import type { Contract } from "#shared/contract";
import { crashPoint } from "#shared/crash-points";
import { isSurgeon } from "#shared/envelope";
import { RUN_LIMITS, SutureError } from "#shared/errors";
import type { Failure } from "#shared/errors";
import { toFailure, toReadable } from "#shared/failure";
import { KeyDamagedError } from "#shared/store";
import type { Committed } from "#shared/store/ledger";
import type { CaseSubject } from "#shared/ward";
import type { Delivery, Outcome } from "../deliver/delivery.ts";
import { passOnFailures } from "../deliver/report-delivery.ts";
import { RunCancelledError, UnusableAnswerError } from "../errors.ts";
import { commitOf, putAside } from "../settle/commit-of.ts";
import type { Commit } from "../settle/commit-of.ts";
import { countPairs } from "../settle/count-outputs.ts";

/** Writes the outcome with its effects, fenced by the job's lock. The only step that writes one. */
export async function settle(delivery: Delivery): Promise<Delivery> {
  if (delivery.outcome === null) return delivery;
  const { place, hold } = delivery;
  const prepared = prepare(delivery, delivery.outcome);
  const commit = meetsRunLimit(prepared) ? await limited(prepared) : prepared.commit;
  if (place.onFailure !== undefined) passOnFailures(prepared.delivery, place.onFailure);
  crashPoint("W9:before_commit");
  const committed = await write(prepared, commit);
  if (committed instanceof KeyDamagedError)
    return settle(fail(delivery, committed, { direction: "run", contract: null }));
  if (committed.kind === "cancelled") {
    return settle(fail(delivery, new RunCancelledError(hold.runId), { direction: "run", contract: null }));
  }
  if (committed.kind === "settled_before") return { ...delivery, passed: "replayed" };
  countPairs(delivery, commit);
  return prepared.delivery;
}

/** Writes an outcome. A damaged key makes the error the outcome; if that fails too, puts the message aside alone. */
async function write({ delivery, outcome }: Prepared, commit: Commit): Promise<Committed | KeyDamagedError> {
  const { ledger, settlement } = delivery.place.store;
  try {
    return await settlement.settle(ledger.decide(delivery.hold, commit));
  } catch (error) {
    if (!(error instanceof KeyDamagedError)) throw error;
    if (outcome.kind !== "failed" || outcome.failure.code !== error.code) return error;
    return settlement.settle(ledger.decide(delivery.hold, putAside(delivery, outcome)));
  }
}

/** Computes the commit of an outcome. A handoff that cannot be sealed is a failure of the agent's output. */
function prepare(delivery: Delivery, outcome: Outcome): Prepared {
  try {
    return { delivery, outcome, commit: commitOf(delivery, outcome) };
  } catch (error) {
    if (outcome.kind === "failed") throw error;
    const failed = fail(delivery, error, { direction: "out", contract: delivery.place.agent.accepts });
    if (failed.outcome === null) throw error;
    return { delivery: failed, outcome: failed.outcome, commit: commitOf(failed, failed.outcome) };
  }
}

interface Prepared {
  readonly delivery: Delivery;
  readonly outcome: Outcome;
  readonly commit: Commit;
}

/** Released messages are checked again. */
function meetsRunLimit({ delivery: { message }, outcome, commit }: Prepared): boolean {
  if (outcome.kind !== "failed" || commit.kind !== "quarantined" || message === null) return false;
  const isReleased = isSurgeon(message.envelope.meta.source_agent);
  return RUN_LIMITS.includes(outcome.failure.failure_class) && !isReleased;
}

/** Quarantines a run's first message that a limit stops, and fails the others: a run must not fill the ward. */
async function limited({ delivery, outcome, commit }: Prepared): Promise<Commit> {
  const { hold, place } = delivery;
  if (outcome.kind !== "failed" || (await place.store.runs.isFirstAtLimit(hold.runId, hold.messageId)))
    return commit;
  return commitOf(delivery, { kind: "gave_up", failure: outcome.failure });
}

/** Ends the delivery with a thrown error, as a failure of the closed list. */
export function fail(
  delivery: Delivery,
  unread: unknown,
  scene: { readonly direction: Failure["direction"]; readonly contract: Contract | null },
): Delivery {
  const { agent } = delivery.place;
  const thrown = toReadable(unread);
  const isOpenAnswer = thrown instanceof UnusableAnswerError || thrown instanceof ApprovalNeededError;
  const answer = isOpenAnswer ? thrown : null;
  const contract = answer?.contract ?? scene.contract;
  const subject: CaseSubject =
    answer === null
      ? { kind: "payload" }
      : { kind: "answer", step: answer.step, text: answer.text, ...endingOf(answer) };
  return {
    ...delivery,
    outcome: {
      kind: "failed",
      contract,
      subject,
      retryAfterMs: retryAfterOf(thrown),
      failure: toFailure(thrown, {
        agent: agent.id,
        contract: contract?.id ?? null,
        direction: thrown instanceof UnusableAnswerError ? "out" : scene.direction,
        step: answer?.step ?? delivery.steps.of(unread),
        model: answer?.model ?? null,
        promptVersion: agent.options.promptVersion ?? "1",
      }),
    },
  };
}

function endingOf(answer: UnusableAnswerError | ApprovalNeededError): { ending?: "whole" | "cut" } {
  return answer instanceof UnusableAnswerError && answer.ending !== undefined
    ? { ending: answer.ending }
    : {};
}

/** Returns the Retry-After of our own rate-limit errors. Others may have such a field too, and it may throw. */
function retryAfterOf(thrown: unknown): number | null {
  if (!(thrown instanceof SutureError) || !("retryAfterMs" in thrown)) return null;
  try {
    const { retryAfterMs } = thrown;
    return typeof retryAfterMs === "number" ? retryAfterMs : null;
  } catch {
    return null;
  }
}
