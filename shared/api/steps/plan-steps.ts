import { createHash } from "node:crypto";
import { z } from "zod";
import { timestamp } from "#shared/clock";
import { readJson } from "#shared/json";
import { stepAccountSchema } from "#shared/runtime/accounts";
import type { StepAccount } from "#shared/runtime/accounts";
import type { LedgerEntry } from "#shared/store/ledger";
import type { RunEvent } from "#shared/store/runs";
import { hopSchema } from "../runs.ts";
import type { RunStep } from "../run-steps.ts";
import { fillCall, fillDelivery, fillEffect, fillSent, fillStepResult } from "./fill-step.ts";
import type { Filled, StepReader } from "./fill-step.ts";
import type { MessagePlace } from "./read-sealed.ts";

/** A step, and what reads its values. */
export interface PlannedStep {
  readonly facts: Omit<RunStep, "instructions" | "problems" | "input" | "output" | "conversation" | "name">;
  readonly fill: (reader: StepReader) => Filled | Promise<Filled>;
}

/** A message of a run with its events, in their order. */
export interface MessageEvents extends MessagePlace {
  readonly events: readonly RunEvent[];
}

/** Groups the events of a run by message, in the order in which the messages first appear. Pure. */
export function groupByMessage(events: readonly RunEvent[]): MessageEvents[] {
  const byMessage = Map.groupBy(events, ({ message_id }) => message_id ?? "");
  return [...byMessage]
    .filter(([id]) => id !== "")
    .map(([message_id, own]) => ({
      message_id,
      agent:
        own.find(({ type, agent }) => type !== "submitted" && agent !== null)?.agent ?? own[0]?.agent ?? "",
      events: own,
    }));
}

const noteSchema = z.object({ at: z.string(), scope: z.enum(["run", "agent"]) });
const text = z.string().nullable().catch(null);
const count = z.int().nullable().catch(null);
const amount = z.number().nullable().catch(null);
const detailSchema = z.looseObject({
  attempt: count,
  hop: count,
  ms: amount,
  tokens: amount,
  cost: amount,
  model: text,
  contract: text,
  sent_at: text,
  accepted_at: text,
  next: hopSchema.shape.next.nullable().catch(null),
  as: text,
  to: text,
  problem: text,
});

/** Returns what the details of an event say of a delivery; null for what they do not say, or not well. */
export function readDetail({ detail }: Pick<RunEvent, "detail">) {
  return { ...detailSchema.parse(detail), failure: hopSchema.shape.failure.catch(null).parse(detail) };
}

/**
 * Plans a message's steps: each delivery, then what it recorded and sent on. Pure.
 * @param entry - Its receiver's ledger; null: not kept. @param lastCompletion - Event whose result is the run's.
 */
export function planSteps(
  message: MessageEvents,
  entry: LedgerEntry | null,
  { runId, lastCompletion }: { readonly runId: string; readonly lastCompletion: string | null },
): PlannedStep[] {
  const deliveries = deliveriesOf(message, lastCompletion);
  const hop = deliveries.find(({ facts }) => facts.hop !== null)?.facts.hop ?? null;
  const recorded = [
    ...(entry?.steps ?? []).map((step) => planRecorded(message, step, hop)),
    ...(entry?.effects ?? []).map((effect) => planEffect(message, effect, { hop, runId })),
  ].toSorted((a, b) => timeOf(a) - timeOf(b) || a.facts.step_id.localeCompare(b.facts.step_id));
  const byDelivery = Map.groupBy(recorded, (step) => deliveryAt(deliveries, timeOf(step)));
  return [
    ...(byDelivery.get(-1) ?? []),
    ...deliveries.flatMap((delivery, index) => [
      delivery,
      ...(byDelivery.get(index) ?? []).map((step) => ofAttempt(step, delivery)),
    ]),
    ...sentBy(message, hop),
  ];
}

/** Index of the delivery that was under way at a time; the first for what lies before, -1 without deliveries. */
function deliveryAt(deliveries: readonly PlannedStep[], atMs: number): number {
  if (deliveries.length === 0) return -1;
  return Math.max(
    0,
    deliveries.findLastIndex((delivery) => timeOf(delivery) <= atMs),
  );
}

function ofAttempt(step: PlannedStep, delivery: PlannedStep): PlannedStep {
  return { ...step, facts: { ...step.facts, attempt: step.facts.attempt ?? delivery.facts.attempt } };
}

/** Returns the start of a step; one without a time, as of older releases, comes last. */
function timeOf({ facts }: PlannedStep): number {
  const ms = Date.parse(facts.started_at ?? "");
  return Number.isNaN(ms) ? Infinity : ms;
}

function deliveriesOf(message: MessageEvents, lastCompletion: string | null): PlannedStep[] {
  const settled = message.events.flatMap((event) => {
    const detail = readDetail(event);
    // Only what an agent settles has an attempt; later branches of a fan-out have none.
    return detail.attempt === null || event.type === "accepted" ? [] : [{ event, detail }];
  });
  const planned = settled.map(({ event, detail }, index): PlannedStep => {
    const { attempt, hop, ms, tokens, cost, model, failure } = detail;
    const endMs = Date.parse(event.at);
    return {
      facts: {
        ...factsOf(message, { kind: "delivery", part: `d${index + 1}` }),
        attempt,
        hop,
        ms,
        tokens,
        cost,
        model,
        started_at: ms === null || Number.isNaN(endMs) ? null : timestamp(endMs - ms),
        ended_at: event.at,
        outcome: event.type,
        failure,
      },
      fill: (reader) => fillDelivery(reader, event.id === lastCompletion),
    };
  });
  return [...planned, ...runningOf(message, planned)];
}

/** The delivery that is under way, where its agent has said so. The notice may come after the outcome. */
function runningOf(message: MessageEvents, settled: readonly PlannedStep[]): PlannedStep[] {
  const accepted = message.events.findLast(({ type }) => type === "accepted");
  if (accepted === undefined) return [];
  const { attempt, hop } = readDetail(accepted);
  if (settled.some(({ facts }) => (facts.attempt ?? 0) >= (attempt ?? 0))) return [];
  return [
    {
      facts: {
        ...factsOf(message, { kind: "delivery", part: `d${settled.length + 1}` }),
        attempt,
        hop,
        started_at: accepted.at,
      },
      fill: (reader) => fillDelivery(reader, false),
    },
  ];
}

function planRecorded(
  message: MessageEvents,
  { name, result, account }: LedgerEntry["steps"][number],
  hop: number | null,
): PlannedStep {
  const parsed = stepAccountSchema.safeParse(account);
  const own = parsed.success ? parsed.data : null;
  const call = /^call\/(?<step>.*?)\/(?<round>t?\d+(?:\/room-\d+)?)$/s.exec(name)?.groups;
  const is = call !== undefined ? "model" : name.startsWith("tool/") ? "tool" : "step";
  const shown = call?.["step"] ?? own?.tool ?? name.replace(/^(?:step|tool)\//, "");
  const recorded = { name: shown, result, account: own };
  const paid = call === undefined ? null : detailSchema.safeParse(readJson(result)).data;
  return {
    facts: {
      ...factsOf(message, { kind: is, part: `s${digestOfName(name)}` }),
      hop,
      attempt: own?.attempt ?? null,
      ...timesOf(own),
      tokens: paid?.tokens ?? null,
      cost: paid?.cost ?? null,
      model: paid?.model ?? null,
      round: call?.["round"] ?? null,
      outcome: (paid?.problem ?? null) === null ? "recorded" : "too_large",
    },
    fill: (reader) => (is === "model" ? fillCall(reader, recorded) : fillStepResult(reader, recorded)),
  };
}

function timesOf(own: StepAccount | null): Pick<RunStep, "started_at" | "ended_at" | "ms"> {
  const startMs = Date.parse(own?.at ?? "");
  if (own === null || Number.isNaN(startMs)) return { started_at: null, ended_at: null, ms: null };
  return { started_at: own.at, ended_at: timestamp(startMs + own.ms), ms: own.ms };
}

function planEffect(
  message: MessageEvents,
  { key, note }: LedgerEntry["effects"][number],
  { hop, runId }: { readonly hop: number | null; readonly runId: string },
): PlannedStep {
  const parsed = noteSchema.safeParse(note);
  return {
    facts: {
      ...factsOf(message, { kind: "effect", part: `x${digestOfName(key)}` }),
      hop,
      started_at: parsed.data?.at ?? null,
    },
    fill: (reader) => fillEffect(reader, { key, runId: parsed.data?.scope === "agent" ? null : runId }),
  };
}

/** Messages that this one led to: its handoffs, and the message that took its place. */
function sentBy(message: MessageEvents, hop: number | null): PlannedStep[] {
  return message.events.flatMap((event) => {
    const { next, as, to, attempt } = readDetail(event);
    const replaced =
      as !== null && to !== null && event.type !== "completed" ? [{ message_id: as, agent: to }] : [];
    const sent = (kind: "handoff" | "replacement", place: MessagePlace): PlannedStep => ({
      facts: {
        ...factsOf(message, { kind, part: `h${place.message_id}` }),
        hop,
        attempt,
        ended_at: event.at,
        outcome: event.type,
        to: place,
      },
      fill: (reader) => fillSent(reader, place),
    });
    return [
      ...(next ?? []).map((place) => sent("handoff", place)),
      ...replaced.map((place) => sent("replacement", place)),
    ];
  });
}

function factsOf(
  { message_id, agent }: MessageEvents,
  { kind, part }: { readonly kind: RunStep["kind"]; readonly part: string },
): PlannedStep["facts"] {
  return {
    step_id: `${message_id}.${part}`,
    kind,
    agent,
    message_id,
    hop: null,
    attempt: null,
    started_at: null,
    ended_at: null,
    ms: null,
    tokens: null,
    cost: null,
    model: null,
    round: null,
    outcome: null,
    failure: null,
    to: null,
  };
}

/** Names are an author's, of any length and with any byte. */
function digestOfName(name: string): string {
  return createHash("sha256").update(name).digest("hex").slice(0, 16);
}
