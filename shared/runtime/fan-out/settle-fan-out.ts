import { now, timestamp } from "#shared/clock";
import { childIdOf } from "#shared/envelope";
import type { FanOutOpening, HeldBranch } from "#shared/store/fan-outs";
import type { Effects } from "#shared/store/settlement";
import { STARTS_MAX } from "#shared/store/fan-outs";
import { deadAdmission, deadChange } from "../settle/admission.ts";
import type { Delivery, CheckedFanOut, CheckedHandoff } from "../deliver/delivery.ts";
import { openedBy, sealHandoff, sendOf, eventIdOf, closingChange } from "../settle/effects.ts";
import type { SealedHandoff } from "../settle/effects.ts";

interface SealedBranch {
  readonly handoff: CheckedHandoff;
  readonly child: SealedHandoff;
}

/**
 * Returns the effects of a fan-out: as many branches as may run, the others held at the join, and the message that
 * waits. That one is open in its run from now on, so that the run cannot end before it.
 */
export function effectsOfFanOut(delivery: Delivery, fanOut: CheckedFanOut): Partial<Effects> {
  const { agent } = delivery.place;
  const to = fanOut.join.to;
  const index = fanOut.branches.length;
  const fanOutId = childIdOf(delivery.hold.messageId, { from: agent.name, to, index });
  const message = sealHandoff(delivery, fanOut.join, { index, marks: { joins: fanOutId } });
  const sealed = fanOut.branches.map((handoff, branch): SealedBranch => {
    const marks = { branch: { fan_out: fanOutId, index: branch, join: to } };
    // Branches that have not started by the deadline expire.
    const ttl = fanOut.deadlineMs === null ? {} : { ttlMs: fanOut.deadlineMs };
    return { handoff, child: sealHandoff(delivery, handoff.draft, { index: branch, marks, ...ttl }) };
  });
  const dead = sealed.filter(({ handoff }) => handoff.failure !== null);
  const sound = sealed.filter(({ handoff }) => handoff.failure === null);
  const first = sound.slice(0, Math.min(fanOut.window, STARTS_MAX));
  const opens = [
    openedBy(to, message),
    ...[...first, ...dead].map(({ handoff, child }) => openedBy(handoff.draft.to, child)),
  ];
  const detail = { next: opens, fan_out: fanOutId, branches: sealed.length };
  return {
    changes: [
      closingChange(delivery, "handed_off", { detail, opens }),
      ...dead.map((one) => deadChange(delivery, one)),
    ],
    sends: first.map(({ handoff, child }) => sendOf(handoff.draft.to, child)),
    admissions: dead.map((one) => deadAdmission(delivery, one)),
    fanOut: {
      ...openingOf(delivery, { fanOut, fanOutId, message }),
      started: first.map(({ child }) => child.index),
      parked: dead.map(({ child }) => child.index),
      held: sound.slice(first.length).map((one) => heldBranch(delivery, { fanOutId, branch: one })),
    },
  };
}

function openingOf(
  delivery: Delivery,
  made: { readonly fanOut: CheckedFanOut; readonly fanOutId: string; readonly message: SealedHandoff },
): Omit<FanOutOpening, "started" | "parked" | "held"> {
  const { fanOut, fanOutId, message } = made;
  const { meta, billing } = message.envelope;
  const openedMs = now();
  return {
    fanOutId,
    join: fanOut.join.to,
    terms: {
      run_id: delivery.hold.runId,
      opened: openedMs,
      total: fanOut.branches.length,
      needed: fanOut.needed,
      least: fanOut.least,
      window: fanOut.window,
      bytes_max: fanOut.answersBytesMax,
      deadline: fanOut.deadlineMs === null ? "" : openedMs + fanOut.deadlineMs,
      expires: meta.expires_at === null ? "" : Date.parse(meta.expires_at),
      base_cost: toMicro(billing.cost_so_far),
      base_tokens: billing.tokens_consumed,
      cost_left: Math.max(0, toMicro(billing.cost_limit - billing.cost_so_far)),
      tokens_left: Math.max(0, billing.token_limit - billing.tokens_consumed),
    },
    message: sendOf(fanOut.join.to, message),
  };
}

/** Converts money to integer millionths, which scripts can add exactly. */
export function toMicro(amount: number): number {
  return Math.round(amount * 1_000_000);
}

function heldBranch(
  delivery: Delivery,
  made: { readonly fanOutId: string; readonly branch: SealedBranch },
): HeldBranch {
  const { handoff, child } = made.branch;
  const { index } = child;
  const opened = openedBy(handoff.draft.to, child);
  return {
    index,
    send: sendOf(handoff.draft.to, child),
    change: {
      event: {
        id: `${eventIdOf(delivery.hold, "handed_off")}/${index}`,
        run_id: delivery.hold.runId,
        type: "handed_off",
        at: timestamp(),
        message_id: delivery.hold.messageId,
        agent: delivery.place.agent.name,
        detail: { next: [opened], fan_out: made.fanOutId, branch: index },
      },
      opens: [opened],
    },
  };
}
