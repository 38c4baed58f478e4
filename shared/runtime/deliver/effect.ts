import { derivedId, sleep, timestamp } from "#shared/clock";
import { crashPoint } from "#shared/crash-points";
import { isRedisReply } from "#shared/store";
import type { RestoredEffect } from "#shared/store/people";
import type { ClaimName } from "#shared/store/ledger";
import type { OnceOptions } from "../tools/define-tool.ts";
import { isRecord } from "#shared/json";
import type { Delivery, Message } from "./delivery.ts";
import { EffectBusyError, EffectUncertainError } from "../errors.ts";
import { ResultNotJsonError, toJsonText } from "./json-result.ts";
import type { Unwritable } from "./json-result.ts";
import { labelsOfDelivery } from "./delivery.ts";

interface OnceRequest<Value> {
  readonly delivery: Delivery & { readonly message: Message };
  readonly key: string;
  readonly act: (idempotencyKey: string, signal: AbortSignal) => Promise<Value>;
  readonly options: OnceOptions<Value>;
  readonly signal: AbortSignal;
  readonly assertOpen: () => void;
  readonly owner: { readonly agent: string; readonly bytesMax: number };
}

/** Attempts to record an effect, and the pause between them, in ms: one minute in all. */
const RECORD_TRIES_MAX = 300;
const RECORD_EVERY_MS = 200;

/**
 * Executes one side effect: claim, act, record. The claim belongs to the run, or with the scope `agent` to all runs. An
 * effect whose claim holder died is never repeated by itself: the provider is asked, or a person. Its result keeps the
 * labels of what it may use. If `act` throws, the claim is freed: the effect did not happen, or is idempotent.
 * @throws {EffectUncertainError} It is unknown whether the dead holder's effect happened. {EffectBusyError}
 */
export async function doOnce<Value>(request: OnceRequest<Value>): Promise<Value> {
  const { delivery, key, options } = request;
  const runId = options.scope === "agent" ? null : delivery.hold.runId;
  const { agent, store } = delivery.place;
  const idempotencyKey = derivedId("once", agent.name, ...(runId === null ? [] : [runId]), key);
  // One claim id per delivery, so that a zombie's write cannot be taken for its successor's.
  const claimId = derivedId(delivery.hold.jobId, delivery.hold.token, key);
  const name = { key, runId, claimId };
  const claim = {
    ...name,
    at: timestamp(),
    takesOver: false,
    labels: labelsOfDelivery(delivery, options.uses),
  };
  const first = await store.effects.claim(delivery.hold, claim);
  switch (first.kind) {
    case "done":
      return shared(request, { ...first, name, idempotencyKey });
    case "busy":
      throw new EffectBusyError(agent.id);
    case "claimed":
    case "uncertain": {
      const known = await store.restores.effect(runId, idempotencyKey);
      // A snapshot has no claims that were made after it: a new one then counts as that of a worker that died.
      const isNew = first.kind === "claimed";
      if (isNew && (known.kind === "act" || known.kind === "undone"))
        return perform(request, { name, idempotencyKey });
      // An effect that a provider or the record still knows was made by the holder that died.
      if (first.kind === "uncertain") for (const label of first.labels) delivery.received.add(label);
      const found = await lookUp(request, idempotencyKey, {
        known,
        holder: first.kind === "uncertain" ? first.messageId : delivery.hold.messageId,
        claimedMs: Date.parse((await store.effects.read(agent.name, { key, runId }))?.at ?? ""),
      });
      request.assertOpen();
      if (first.kind === "uncertain") {
        const labels = labelsOfDelivery(delivery, options.uses);
        const taken = await store.effects.claim(delivery.hold, { ...claim, labels, takesOver: true });
        if (taken.kind === "done") return shared(request, { ...taken, name, idempotencyKey });
        if (taken.kind !== "claimed") throw new EffectBusyError(agent.id);
      }
      if (!found.done) return perform(request, { name, idempotencyKey });
      return finish(request, { name, value: found.value });
    }
  }
}

/** Returns what people have listed, or asks the provider. @throws {EffectUncertainError} Nobody can say. */
async function lookUp<Value>(
  { options, signal, delivery }: OnceRequest<Value>,
  idempotencyKey: string,
  {
    known,
    holder,
    claimedMs,
  }: { readonly known: RestoredEffect; readonly holder: string; readonly claimedMs: number },
): Promise<Awaited<ReturnType<NonNullable<OnceOptions<Value>["reconcile"]>>>> {
  if (known.kind === "done") return { done: true, value: JSON.parse(known.value) };
  // A later claim may have been followed by the effect.
  if (known.kind === "undone" && claimedMs <= known.at_ms) return { done: false };
  if (options.reconcile === undefined)
    throw new EffectUncertainError(delivery.place.agent.id, holder, idempotencyKey);
  return options.reconcile(idempotencyKey, signal);
}

/** Member of the record of an effect whose result is not JSON. */
const NOT_JSON = "suture:not_json";

interface Done {
  readonly value: string;
  readonly labels: readonly string[];
  readonly name: ClaimName;
  readonly idempotencyKey: string;
}

/** Returns another delivery's effect with its labels. @throws {ResultNotJsonError} No JSON, and nobody can be asked. */
async function shared<Value>(
  request: OnceRequest<Value>,
  { value, labels, name, idempotencyKey }: Done,
): Promise<Value> {
  const { delivery, options, signal, owner } = request;
  for (const label of labels) delivery.received.add(label);
  const recorded = JSON.parse(value);
  const found: unknown = isRecord(recorded) ? recorded[NOT_JSON] : undefined;
  if (found === undefined) return recorded;
  const asked = await options.reconcile?.(idempotencyKey, signal);
  if (asked?.done === true) return finish(request, { name, value: asked.value });
  // Written by `finish`.
  throw new ResultNotJsonError(owner.agent, found as Unwritable);
}

async function perform<Value>(
  request: OnceRequest<Value>,
  { name, idempotencyKey }: { readonly name: ClaimName; readonly idempotencyKey: string },
): Promise<Value> {
  const { agent, store } = request.delivery.place;
  let value: Value;
  try {
    value = await request.act(idempotencyKey, request.signal);
  } catch (error) {
    // An effect that our own signal aborted may have happened: the claim stays, and the provider is asked.
    if (!request.signal.aborted) await store.effects.free(agent.name, name);
    throw error;
  }
  crashPoint("W4:after_effect_before_record");
  return finish(request, { name, value });
}

async function finish<Value>(
  request: OnceRequest<Value>,
  done: { readonly name: ClaimName; readonly value: Value },
): Promise<Value> {
  const { owner, delivery, options } = request;
  const labels = labelsOfDelivery(delivery, options.uses);
  try {
    const value = toJsonText(done.value, owner);
    await record(request, { ...done.name, value, labels });
    return JSON.parse(value);
  } catch (error) {
    // It has happened all the same: that is recorded, so that no delivery repeats it.
    if (error instanceof ResultNotJsonError)
      await record(request, { ...done.name, value: JSON.stringify({ [NOT_JSON]: error.found }), labels });
    throw error;
  }
}

/** Records that an effect happened, retrying while Redis refuses, even after the delivery: only this worker knows. */
async function record<Value>(
  { delivery }: OnceRequest<Value>,
  done: ClaimName & { readonly value: string; readonly labels: readonly string[] },
): Promise<void> {
  const { agent, store, stopping } = delivery.place;
  for (let tries = 1; ; tries += 1) {
    try {
      return await store.effects.finish(agent.name, done);
    } catch (error) {
      if (!isRedisReply(error) || tries >= RECORD_TRIES_MAX || stopping.aborted) throw error;
      await sleep(RECORD_EVERY_MS, stopping).catch(() => undefined);
    }
  }
}
