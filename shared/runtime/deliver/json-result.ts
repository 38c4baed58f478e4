import { defineError } from "#shared/errors";
import { pointerStep } from "#shared/json";
import type { HandoffDraft } from "../define/handler-context.ts";

/**
 * Refuses a value that JSON cannot hold as it is. The one rule for all that leaves a handler: handoffs, results, what
 * is recorded of steps, effects and tools, and entries of boards.
 * @throws {ResultNotJsonError} With the place and the kind.
 */
export function assertJson(value: unknown, agent: string): void {
  const found = findUnwritable(value);
  if (found !== null) throw new ResultNotJsonError(agent, found);
}

/** Refuses a handoff whose payload, conversation, metadata or other options are not JSON. */
export function assertJsonDraft({ payload, options }: HandoffDraft, agent: string): void {
  assertJson(payload, agent);
  assertJson(options, agent);
}

/** Converts to the recorded JSON; `undefined` becomes null. @throws {ResultNotJsonError | ResultTooLargeError} */
export function toJsonText(
  value: unknown,
  owner: { readonly agent: string; readonly bytesMax: number },
): string {
  assertJson(value, owner.agent);
  const text = JSON.stringify(value ?? null);
  const bytes = Buffer.byteLength(text);
  if (bytes > owner.bytesMax) throw new ResultTooLargeError(owner.agent, { bytes, bytesMax: owner.bytesMax });
  return text;
}

/** The first place of a value that JSON cannot hold as it is. */
export interface Unwritable {
  /** JSON pointer; "" is the whole value. */
  readonly path: string;
  /** Such as `NaN`, `BigInt`, `Date`, `Map` or `cycle`. */
  readonly kind: string;
}

/** Deeper values overflow the stack of whoever writes them. */
const DEPTH_MAX = 1000;

/**
 * Looks for what JSON would drop, change or refuse: NaN and infinities, BigInts, functions, symbols, objects of
 * built-in classes (Date, Map, Set, Promise, Error, typed arrays, …), instances without fields, and cycles. `undefined`
 * is allowed: JSON leaves such members out.
 */
export function findUnwritable(value: unknown): Unwritable | null {
  try {
    return find(value, []);
  } catch {
    return { path: "", kind: "value that cannot be read" };
  }
}

/** Each level adds its step to a path that comes up, so that a sound value costs none. */
function find(value: unknown, above: readonly object[]): Unwritable | null {
  if (typeof value === "number") return Number.isFinite(value) ? null : { path: "", kind: String(value) };
  if (typeof value === "bigint") return { path: "", kind: "BigInt" };
  if (typeof value === "function" || typeof value === "symbol") return { path: "", kind: typeof value };
  if (typeof value !== "object" || value === null) return null;
  if (above.includes(value)) return { path: "", kind: "cycle" };
  if (above.length > DEPTH_MAX) return { path: "", kind: "value that is nested too deeply" };
  const kind = kindOf(value);
  if (kind !== null) return { path: "", kind };
  const written: unknown = "toJSON" in value && typeof value.toJSON === "function" ? value.toJSON() : value;
  const inside = [...above, value];
  if (written !== value) return find(written, inside);
  for (const key of Object.keys(value)) {
    const member: unknown = Reflect.get(value, key);
    const found = find(member, inside);
    if (found !== null) return { ...found, path: pointerStep(key) + found.path };
  }
  return null;
}

/** Returns the class of an object whose content is not in its fields; null for data. */
function kindOf(value: object): string | null {
  if (Array.isArray(value)) return null;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Most are plain, and no class hides behind them.
  if (prototype === Object.prototype && !(Symbol.toStringTag in value)) return null;
  const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
  if (tag !== "Object") return tag;
  if (prototype === null || "toJSON" in value) return null;
  // Objects of another realm have another Object.prototype, whose own prototype is null.
  if (Object.getPrototypeOf(prototype) === null) return null;
  return Object.keys(value).length > 0 ? null : `${value.constructor.name || "class"} without fields`;
}

/** A result is too large for a run's record. */
export class ResultTooLargeError extends defineError(
  (agent: string, size: { readonly bytes: number; readonly bytesMax: number }) => ({
    code: "RESULT_TOO_LARGE",
    failureClass: "handler_error",
    message: `A result of ${agent} has ${size.bytes} bytes of JSON; ${size.bytesMax} are allowed.`,
    remedy: "Store the content and hand on a file reference.",
  }),
) {}

/** A value that leaves a handler is not JSON: a Date, NaN, a Map, a BigInt, a cycle. A bug of the agent's code. */
export class ResultNotJsonError extends defineError((agent: string, found: Unwritable) => ({
  code: "RESULT_NOT_JSON",
  failureClass: "handler_error",
  message: `A value of ${agent} has a ${found.kind} at ${found.path || "its top"}, which JSON cannot hold.`,
  remedy:
    "Write it as plain JSON: a Date by toISOString(), a Map by Object.fromEntries(), a BigInt as text, a missing number as null.",
  issues: [{ path: found.path, code: "not_json", message: `a ${found.kind} is not JSON` }],
  found,
})) {}
