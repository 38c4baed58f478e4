import { derivedId, now, random, timestamp } from "#shared/clock";
import { routeFailure, toFailure } from "#shared/failure";
import type { FailureRoute } from "#shared/failure";
import { rankOf } from "#shared/store";
import type { Admission, OutboxEntry, RunChange, SendRequest } from "#shared/store";
import { admission } from "./admission.ts";
import type { Admitter } from "./admission.ts";
import type { Delivery } from "./delivery.ts";
import { RejectedError } from "./errors.ts";
import { sealHandoff } from "./seal-handoff.ts";
import { retryJobId } from "./message-id.ts";
import type { CheckedHandoff, Outcome } from "./outcome.ts";
import { failureDetail, tell, tellClosing } from "./tell.ts";

/** An outcome as it is written: what the ledger keeps, and what it sets in motion. Made without touching Redis. */
export interface Settlement {
  readonly scope: "final" | "delivery";
  readonly summary: Readonly<Record<string, unknown>>;
  readonly entry: OutboxEntry;
  /** False for what must stand even if the run is being cancelled. */
  readonly cancellable: boolean;
}

interface Effects {
  readonly changes: readonly RunChange[];
  readonly sends?: readonly SendRequest[];
  readonly admissions?: readonly Admission[];
  readonly awaits?: OutboxEntry["awaits"] | undefined;
}

type FailedOutcome = Extract<Outcome, { kind: "failed" }>;

/** Says what follows from an outcome. Pure but for the clock and the dice. */
export function settlementOf(delivery: Delivery, outcome: Outcome): Settlement {
  switch (outcome.kind) {
    case "completed":
      return final(delivery, outcome.kind, {
        changes: [tellClosing(delivery, "completed", { detail: {}, result: outcome.result })],
      });
    case "handed_off":
      return handedOff(delivery, outcome.handoffs);
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

function final(delivery: Delivery, kind: string, effects: Effects): Settlement {
  const summary = { kind, at: timestamp(), agent: delivery.place.agent.id };
  return { scope: "final", summary, entry: toEntry(delivery, effects), cancellable: true };
}

function toEntry(delivery: Delivery, effects: Effects): OutboxEntry {
  const { hold } = delivery;
  return {
    // One for each delivery that is settled; a stranger under a known job id has a message id of its own.
    id: `${hold.messageId}/${hold.jobId}`,
    at_ms: now(),
    changes: effects.changes.filter(({ event }) => event.run_id !== ""),
    sends: effects.sends ?? [],
    admissions: effects.admissions ?? [],
    ...(effects.awaits === undefined ? {} : { awaits: effects.awaits }),
  };
}

function handedOff(delivery: Delivery, handoffs: readonly CheckedHandoff[]): Settlement {
  const sealed = handoffs.map((handoff, index) => ({
    handoff,
    child: sealHandoff(delivery, handoff.draft, index),
  }));
  const dead = sealed.filter(({ handoff }) => handoff.failure !== null);
  const next = sealed.map(({ handoff, child }) => ({
    message_id: child.envelope.meta.message_id,
    agent: handoff.draft.to,
  }));
  return final(delivery, "handed_off", {
    changes: [
      tellClosing(delivery, "handed_off", { detail: { next }, opens: next }),
      ...dead.map(({ handoff, child }) => deadHandoff(delivery, handoff, child.envelope.meta.message_id)),
    ],
    sends: sealed
      .filter(({ handoff }) => handoff.failure === null)
      .map(({ handoff, child }) => ({
        lane: "fresh",
        agent: handoff.draft.to,
        jobId: child.envelope.meta.message_id,
        data: { ...child.message },
        delayMs: 0,
        priority: child.envelope.task_context.priority,
      })),
    awaits: awaitedOf(delivery, next),
    admissions: dead.map(({ handoff, child }) =>
      admission(admitterOf(delivery), {
        messageId: child.envelope.meta.message_id,
        letter: child,
        stored: child.message,
        agent: handoff.draft.to,
        contract: handoff.draft.contract,
        subject: { kind: "payload" },
        disposition: handoff.failure?.failure_class === "content_error" ? dispositionOf(handoff) : "operate",
        failures: handoff.failure === null ? [] : [handoff.failure],
        producer: delivery.place.agent.id,
      }),
    ),
  });
}

/** Receivers whose edge says by when they must accept. */
function awaitedOf(
  { place }: Delivery,
  next: readonly { readonly message_id: string; readonly agent: string }[],
): OutboxEntry["awaits"] {
  const pending = next.flatMap(({ message_id, agent }) => {
    const edge = place.team.edges.find((one) => one.from === place.agent.name && one.to === agent);
    const withinMs = edge?.acknowledgeWithinMs ?? null;
    return withinMs === null ? [] : [{ messageId: message_id, agent, dueMs: now() + withinMs }];
  });
  return pending.length === 0 ? undefined : { sender: place.agent.name, pending };
}

function admitterOf({ place, hold }: Delivery): Admitter {
  return { keyring: place.keyring, id: place.agent.id, team: place.team.name, runId: hold.runId };
}

function dispositionOf(handoff: CheckedHandoff): "operate" | "quarantine" {
  return handoff.draft.contract.options.onContentError === "quarantine" ? "quarantine" : "operate";
}

/** A handoff that never left: the child exists, and is in the ward. */
function deadHandoff(delivery: Delivery, handoff: CheckedHandoff, messageId: string): RunChange {
  const { hold } = delivery;
  const quarantined =
    handoff.failure?.failure_class === "content_error" && dispositionOf(handoff) === "quarantine";
  return {
    event: {
      id: derivedId(messageId, "in_ward"),
      run_id: hold.runId,
      type: quarantined ? "quarantined" : "in_ward",
      at: timestamp(),
      message_id: messageId,
      agent: handoff.draft.to,
      detail: { from: delivery.place.agent.name, ...failureDetail(handoff.failure) },
    },
    moves: { state: quarantined ? "quarantined" : "in_ward", rank: rankOf.ward(0) },
  };
}

function failed(delivery: Delivery, outcome: FailedOutcome): Settlement {
  const { place, letter } = delivery;
  const expiresAt = letter?.envelope.meta.expires_at ?? null;
  const { deliveriesMax = place.limits.retry.deliveriesMax } = place.agent.options;
  const route = routeFailure(
    {
      failureClass: outcome.failure.failure_class,
      deliveries: delivery.attempt,
      random: random(),
      nowMs: now(),
      expiresAtMs: expiresAt === null ? Infinity : Date.parse(expiresAt),
      retryAfterMs: outcome.retryAfterMs,
      onContentError: outcome.contract?.options.onContentError ?? "ward",
      onLimit: place.team.options.onLimit ?? {},
    },
    { ...place.limits.retry, deliveriesMax },
  );
  return routed(delivery, outcome, route);
}

function routed(delivery: Delivery, outcome: FailedOutcome, route: FailureRoute): Settlement {
  const detail = failureDetail(outcome.failure);
  switch (route.kind) {
    case "retry":
      return retried(delivery, outcome, route);
    case "end": {
      const error = {
        class: outcome.failure.failure_class,
        code: outcome.failure.code,
        message: outcome.failure.message,
      };
      const settlement = final(delivery, route.end, {
        changes: [
          tellClosing(delivery, "ended", { detail: { ...detail, end: route.end }, end: route.end, error }),
        ],
      });
      return { ...settlement, cancellable: route.end !== "cancelled" };
    }
    case "ward":
    case "reroute":
    case "quarantine":
      return toWard(delivery, outcome, route.kind);
  }
}

function retried(
  delivery: Delivery,
  outcome: FailedOutcome,
  route: Extract<FailureRoute, { kind: "retry" }>,
): Settlement {
  const { hold, place, letter, record, job } = delivery;
  const requeues = record.requeues + 1;
  const type = route.counted ? "retry" : "postponed";
  const effects: Effects = {
    changes: [
      tell(delivery, type, {
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
        priority: letter?.envelope.task_context.priority ?? "normal",
      },
    ],
  };
  const summary = {
    kind: type,
    at: timestamp(),
    class: outcome.failure.failure_class,
    delay_ms: route.delayMs,
  };
  return { scope: "delivery", summary, entry: toEntry(delivery, effects), cancellable: true };
}

function toWard(
  delivery: Delivery,
  outcome: FailedOutcome,
  route: "ward" | "reroute" | "quarantine",
): Settlement {
  const { hold, letter, place, job } = delivery;
  const disposition = route === "ward" ? "operate" : route;
  const state = route === "quarantine" ? "quarantined" : "in_ward";
  const incoming = outcome.failure.direction === "in";
  return final(delivery, state, {
    changes: [
      tell(delivery, route === "reroute" ? "rejected" : state, {
        detail: failureDetail(outcome.failure),
        moves: { state, rank: rankOf.ward(0) },
      }),
    ],
    admissions: [
      admission(admitterOf(delivery), {
        messageId: hold.messageId,
        letter,
        stored: job.data,
        agent: place.agent.name,
        contract: outcome.contract,
        subject: outcome.subject,
        disposition,
        failures: [outcome.failure],
        producer: incoming ? (letter?.envelope.meta.source_agent ?? "unknown") : place.agent.id,
      }),
    ],
  });
}
