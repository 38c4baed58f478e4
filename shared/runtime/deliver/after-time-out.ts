import { isRecord, stepsOf } from "#shared/json";
import { ModelTimeoutError } from "#shared/model";
import { HandlerTimeoutError } from "../errors.ts";
import type { Delivery } from "./delivery.ts";

/** A part of an input that was sent shorter than the handler gave it; sizes in characters of JSON. */
export interface Shortened {
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

/** Time-outs of one step after which its input is not made shorter still: to an eighth. */
const TIME_OUTS_MAX = 3;

interface Asking {
  readonly delivery: Delivery;
  readonly step: string;
  readonly signal: AbortSignal;
  readonly request: { readonly input: unknown; readonly shortens?: readonly string[] };
}

/**
 * Returns the input of a model call; after a time-out halved (then a quarter, an eighth) in the parts that the step
 * declares: a text keeps its beginning, a list its newest items. No member goes.
 */
export function inputAfter({ delivery, step, request }: Asking): {
  readonly input: unknown;
  readonly shortened: readonly Shortened[];
} {
  const { input = null, shortens = [] } = request;
  const timeOuts = timeOutsOf(delivery, step);
  if (shortens.length === 0 || timeOuts === 0) return { input, shortened: [] };
  const share = 0.5 ** timeOuts;
  const copy: unknown = JSON.parse(JSON.stringify(input));
  const shortened = shortens.flatMap((path) => shortenAt(copy, path, share));
  const about = { code: "MODEL_INPUT_SHORTENED", step, time_outs: timeOuts, parts: shortened };
  delivery.place.logger.warn(about, "a model call timed out before: it is asked with a shorter input");
  return { input: copy, shortened };
}

/** Runs a call, and records a time-out, whoever is at fault, so that the next delivery sends less. */
export async function notingTimeOut<Answer>(asking: Asking, call: () => Promise<Answer>): Promise<Answer> {
  const { signal } = asking;
  // At once: the failed delivery is settled without waiting for its call.
  const noteOvertime = (): void => {
    if (signal.reason instanceof HandlerTimeoutError) void note(asking);
  };
  signal.addEventListener("abort", noteOvertime, { once: true });
  try {
    return await call();
  } catch (error) {
    if (error instanceof ModelTimeoutError) await note(asking);
    throw error;
  } finally {
    signal.removeEventListener("abort", noteOvertime);
  }
}

async function note({ delivery, step, request }: Asking): Promise<void> {
  const nth = timeOutsOf(delivery, step) + 1;
  if ((request.shortens ?? []).length === 0 || nth > TIME_OUTS_MAX) return;
  await delivery.place.store.ledger
    .recordStep(delivery.hold, { name: nameOf(step, nth), result: "true" })
    // The time-out itself is thrown: without a record the next delivery sends the whole input.
    .catch(() => undefined);
}

function timeOutsOf({ record }: Delivery, step: string): number {
  let count = 0;
  while (count < TIME_OUTS_MAX && record.steps.has(nameOf(step, count + 1))) count += 1;
  return count;
}

function nameOf(step: string, nth: number): string {
  return `timed-out/${step}/${nth}`;
}

function shortenAt(input: unknown, path: string, share: number): Shortened[] {
  const steps = stepsOf(path);
  const last = steps.at(-1);
  const parent = steps
    .slice(0, -1)
    .reduce<unknown>((at, step) => (isRecord(at) ? at[step] : undefined), input);
  if (last === undefined || !isRecord(parent) || !Object.hasOwn(parent, last)) return [];
  const value = parent[last];
  const from = JSON.stringify(value).length;
  const shorter = shorten(value, Math.floor(from * share));
  const to = JSON.stringify(shorter).length;
  if (to >= from) return [];
  // A copy of the input, made above.
  (parent as Record<string, unknown>)[last] = shorter;
  return [{ path, from, to }];
}

function shorten(value: unknown, charsMax: number): unknown {
  if (typeof value === "string") return value.slice(0, charsMax).toWellFormed();
  if (!Array.isArray(value)) return value;
  let left = charsMax;
  const kept = value.toReversed().filter((item, index) => {
    left -= JSON.stringify(item).length + 1;
    // The newest stays, however long it is.
    return left >= 0 || index === 0;
  });
  return kept.toReversed();
}
