import { now, random, timestamp } from "#shared/clock";
import type { Failure } from "#shared/errors";
import { routeFailure, toFailure } from "#shared/failure";
import type { FailureRoute } from "#shared/failure";
import type { CommitRequest } from "#shared/store/ledger";
import { rankOf } from "#shared/store/runs";
import { effectsOf } from "#shared/store/settlement";
import type { Effects } from "#shared/store/settlement";
import { admission, deadAdmission, deadChange } from "./admission.ts";
import type { Delivery, CheckedHandoff, Outcome } from "../deliver/delivery.ts";
import { RejectedError } from "../errors.ts";
import { effectsOfFanOut } from "../fan-out/settle-fan-out.ts";
import { openedBy, sealHandoff, sendOf, failureDetail, changeOf, closingChange } from "./effects.ts";
import { retryJobId } from "../deliver/message-job.ts";

/** The ledger's record of an outcome, and its effects. Computed without calling Redis. */
export interface Commit extends CommitRequest {
  /** Kind of the outcome. */
  readonly kind: string;
}

type FailedOutcome = Extract<Outcome, { kind: "failed" }>;

/** Returns the record and effects of an outcome. Pure but for the clock and the jitter of a retry. */
export function commitOf(delivery: Delivery, outcome: Outcome): Commit {
  switch (outcome.kind) {
    case "completed":
      return final(delivery, outcome.kind, {
        changes: [closingChange(delivery, "completed", { detail: {}, result: outcome.result })],
      });
    case "handed_off": {
      const bad = endedBy(delivery, outcome.handoffs);
      return bad === null ? handedOff(delivery, outcome.handoffs) : ended(delivery, bad, "failed");
    }
    case "fanned_out": {
      const bad = endedBy(delivery, outcome.fanOut.branches);
      if (bad !== null) return ended(delivery, bad, "failed");
      return final(delivery, outcome.kind, effectsOfFanOut(delivery, outcome.fanOut));
    }
    case "collected": {
      const { as, branch } = outcome;
      const detail = { as, fan_out: branch.fan_out, branch: branch.index };
      return final(delivery, outcome.kind, { changes: [closingChange(delivery, "completed", { detail })] });
    }
    case "gave_up":
      return ended(delivery, outcome.failure, "failed");
    case "rejected":
      return failed(delivery, {
        kind: "failed",
        contract: delivery.place.agent.accepts,
        subject: { kind: "payload" },
        retryAfterMs: null,
        failure: toFailure(new RejectedError(delivery.place.agent.id, outcome.reason), {
          agent: delivery.place.agent.id,
          contract: delivery.place.agent.accepts.id,
          direction: "run",
        }),
      });
    case "failed":
      return failed(delivery, outcome);
  }
}

function final(delivery: Delivery, kind: string, effects: Partial<Effects>): Commit {
  return written(
    delivery,
    { kind, at: timestamp(), agent: delivery.place.agent.id },
    { scope: "final", effects },
  );
}

function written(
  delivery: Delivery,
  summary: Readonly<Record<string, unknown>> & { readonly kind: string },
  { scope, effects }: { readonly scope: Commit["scope"]; readonly effects: Partial<Effects> },
): Commit {
  const changes = effects.changes?.filter(({ event }) => event.run_id !== "") ?? [];
  return {
    scope,
    kind: summary.kind,
    outcome: JSON.stringify(summary),
    effects: effectsOf({ ...effects, changes }),
    cancellable: true,
    billed: delivery.spent.toSpending(),
    timeLeftMs: timeLeftOf(delivery),
  };
}

/** Allows for clock skew: another worker may take a message that has expired here. */
const CLOCKS_APART_MS = 5000;

/** Returns the time until no worker takes the message any more, in ms; 0 without an expiry. */
function timeLeftOf(delivery: Delivery): number {
  const expiresMs = expiryOf(delivery);
  return expiresMs === Infinity ? 0 : Math.max(0, expiresMs + CLOCKS_APART_MS - now());
}

/** Returns the time from which the message is refused, in ms since the epoch: later by what restores took of it. */
function expiryOf({ message, place }: Delivery): number {
  const { expires_at: expiresAt = null, run_id = "" } = message?.envelope.meta ?? {};
  return expiresAt === null ? Infinity : Date.parse(expiresAt) + place.store.restores.extensionMs(run_id);
}

function handedOff(delivery: Delivery, handoffs: readonly CheckedHandoff[]): Commit {
  const sealed = handoffs.map((handoff, index) => ({
    handoff,
    child: sealHandoff(delivery, handoff.draft, { index }),
  }));
  const dead = sealed.filter(({ handoff }) => handoff.failure !== null);
  const next = sealed.map(({ handoff, child }) => openedBy(handoff.draft.to, child));
  return final(delivery, "handed_off", {
    changes: [
      closingChange(delivery, "handed_off", { detail: { next }, opens: next }),
      ...dead.map((one) => deadChange(delivery, one)),
    ],
    sends: sealed
      .filter(({ handoff }) => handoff.failure === null)
      .map(({ handoff, child }) => sendOf(handoff.draft.to, child)),
    admissions: dead.map((one) => deadAdmission(delivery, one)),
  });
}

function failed(delivery: Delivery, outcome: FailedOutcome): Commit {
  const { place } = delivery;
  const { deliveriesMax = place.limits.retry.deliveriesMax } = place.agent.options;
  const route = routeFailure(
    {
      failureClass: outcome.failure.failure_class,
      deliveries: delivery.attempt,
      requeues: delivery.record.requeues,
      random: random(),
      nowMs: now(),
      // A proxy keeps asking at the same pace after the expiry, for messages that may have arrived.
      expiresAtMs: expiryOf(delivery),
      retryAfterMs: outcome.retryAfterMs,
      onContentError: outcome.contract?.options.onContentError ?? "ward",
      onLimit: place.team.options.onLimit ?? {},
    },
    { ...place.limits.retry, deliveriesMax },
  );
  if (route.kind === "ward" && failsFast(delivery)) return ended(delivery, outcome.failure, "failed");
  if (route.kind === "retry") return retried(delivery, outcome, route);
  if (route.kind === "end") return ended(delivery, outcome.failure, route.end);
  return toWard(delivery, outcome, route.kind);
}

function failsFast({ place }: Delivery): boolean {
  return place.team.options.onFailure === "end";
}

/** Returns the failure of the first handoff that must not be sent, if it ends the run; null if none does. */
function endedBy(delivery: Delivery, handoffs: readonly CheckedHandoff[]): Failure | null {
  if (!failsFast(delivery)) return null;
  return handoffs.find(({ failure }) => failure !== null)?.failure ?? null;
}

/** Ends the run here; a run with a fan-out only if all of it ends. */
function ended(delivery: Delivery, failure: Failure, end: "failed" | "expired" | "cancelled"): Commit {
  const error = { class: failure.failure_class, code: failure.code, message: failure.message };
  const detail = { ...failureDetail(failure), end };
  const commit = final(delivery, end, {
    changes: [closingChange(delivery, "ended", { detail, end, error })],
  });
  return { ...commit, cancellable: end !== "cancelled" };
}

function retried(
  delivery: Delivery,
  outcome: FailedOutcome,
  route: Extract<FailureRoute, { kind: "retry" }>,
): Commit {
  const { hold, place, message, record, job } = delivery;
  const requeues = record.requeues + 1;
  const type = route.counted ? "retry" : "postponed";
  const effects: Partial<Effects> = {
    changes: [
      changeOf(delivery, type, {
        detail: { ...failureDetail(outcome.failure), delay_ms: route.delayMs },
        moves: { state: "open", rank: rankOf.delivery(requeues) },
      }),
    ],
    sends: [
      {
        lane: "retry",
        agent: place.agent.name,
        jobId: retryJobId(hold.messageId, requeues),
        data: { ...job.data, attempt: route.counted ? delivery.attempt : delivery.attempt - 1 },
        delayMs: route.delayMs,
        priority: message?.envelope.task_context.priority ?? "normal",
      },
    ],
  };
  const summary = {
    kind: type,
    at: timestamp(),
    class: outcome.failure.failure_class,
    delay_ms: route.delayMs,
  };
  return written(delivery, summary, { scope: "delivery", effects });
}

/** The message in quarantine, and nobody else told. */
export function putAside(delivery: Delivery, outcome: FailedOutcome): Commit {
  const commit = toWard(delivery, outcome, "quarantine");
  return { ...commit, effects: effectsOf({ ...commit.effects, changes: [] }) };
}

function toWard(
  delivery: Delivery,
  outcome: FailedOutcome,
  route: "ward" | "reroute" | "quarantine",
): Commit {
  const { hold, message, place, job } = delivery;
  const disposition = route === "ward" ? "operate" : route;
  const state = route === "quarantine" ? "quarantined" : "in_ward";
  const incoming = outcome.failure.direction === "in";
  return final(delivery, state, {
    changes: [
      changeOf(delivery, route === "reroute" ? "rejected" : state, {
        detail: failureDetail(outcome.failure),
        moves: { state, rank: rankOf.ward(0) },
      }),
    ],
    admissions: [
      admission(place, hold.runId, {
        messageId: hold.messageId,
        message,
        stored: job.data,
        agent: place.agent.name,
        contract: outcome.contract,
        subject: outcome.subject,
        disposition,
        failures: [outcome.failure],
        producer: incoming ? (message?.envelope.meta.source_agent ?? "unknown") : place.agent.id,
      }),
    ],
  });
}
