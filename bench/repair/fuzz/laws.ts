import { isDeepStrictEqual } from "node:util";
import { firstAid } from "#shared/repair";
import type { FirstAidResult } from "#shared/repair";
import { validate } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import type { FuzzCase } from "./make-text.ts";

/** How one text went. */
export interface Held {
  /** The law that does not hold. */
  readonly law?: string;
  readonly isRepaired: boolean;
  readonly cpuMicros: number;
  readonly steps: number;
}

/** Time that a text may take besides its steps: the first call of rarely used code compiles it. */
const BESIDES_MICROS = 3000;
/** Time that a step may take. Usual are 5 to 20 ns. */
const STEP_NANOS_MAX = 100;

/**
 * Reads a text and holds first aid to its laws: it never throws, what it gives satisfies the schema, consists of plain
 * objects, lists and scalars, and is given again for its own text; no prototype is touched; and, where `isTimed`, the
 * steps that it counts bound its time.
 */
export function hold(one: FuzzCase, isTimed: boolean): Held {
  const first = timed(one);
  if ("error" in first) return { law: `never throws: ${first.error}`, isRepaired: false, ...first };
  const law = lawBroken(one, first.result) ?? (isTimed ? timeLawBroken(one, first) : undefined);
  const { cpuMicros, steps } = first;
  return { ...(law === undefined ? {} : { law }), isRepaired: first.result.ok, cpuMicros, steps };
}

type Timed = { readonly cpuMicros: number; readonly steps: number } & (
  | { readonly result: FirstAidResult }
  | { readonly error: string }
);

function timed({ input, schema }: FuzzCase): Timed {
  let steps = 0;
  const before = process.threadCpuUsage();
  try {
    const result = firstAid(input, schema, { onWork: (taken) => (steps = taken) });
    return { result, steps, cpuMicros: microsSince(before) };
  } catch (error) {
    return { error: String(error), steps, cpuMicros: microsSince(before) };
  }
}

function microsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

function lawBroken({ schema }: FuzzCase, result: FirstAidResult): string | undefined {
  if (isPrototypeTouched()) return "no prototype is touched";
  if (!result.ok) return undefined;
  const { value } = result;
  if (!isPlain(value)) return "what it gives is plain JSON";
  if (schema === undefined) return undefined;
  if (validate(value, schema).length > 0) return "what it gives satisfies the schema";
  const text = JSON.stringify(value);
  const again = firstAid(text, schema);
  return again.ok && again.cost === 0 && isDeepStrictEqual(again.value, JSON.parse(text))
    ? undefined
    : "its own answer needs no first aid";
}

/** Measured three times, because a collection of garbage or a compilation may fall into one. */
function timeLawBroken(one: FuzzCase, { cpuMicros, steps }: Timed): string | undefined {
  const most = BESIDES_MICROS + (steps * STEP_NANOS_MAX) / 1000;
  if (cpuMicros <= most) return undefined;
  const best = Math.min(timed(one).cpuMicros, timed(one).cpuMicros, timed(one).cpuMicros);
  return best <= most ? undefined : `${steps} steps take no ${Math.round(best / 1000)} ms`;
}

const PROTOTYPES = [Object, Array, String, Number, Boolean, Function, Map, Set, RegExp].map(
  (one): object => one.prototype,
);
const NAMES = PROTOTYPES.map((one) => Reflect.ownKeys(one).length);

function isPrototypeTouched(): boolean {
  return PROTOTYPES.some((one, at) => Reflect.ownKeys(one).length !== NAMES[at]);
}

/** Returns true for objects and lists without a prototype of their own, all the way down. */
function isPlain(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return typeof value !== "number" || Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isPlain);
  const isOrdinary = Object.getPrototypeOf(value) === Object.prototype && !Object.hasOwn(value, "__proto__");
  return isOrdinary && Object.values(value).every(isPlain);
}
