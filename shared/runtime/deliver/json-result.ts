import { ResultNotJsonError, ResultTooLargeError } from "../errors.ts";
import type { HandoffDraft } from "../define/handler-outcome.ts";
import { findUnwritable } from "./find-unwritable.ts";

/**
 * Refuses a value that JSON cannot hold as it is. The one rule for all that leaves a handler: handoffs, results, what
 * is recorded of steps, effects and tools, and entries of boards.
 *
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

/**
 * Converts a value to the JSON text that is recorded. `undefined` becomes null, as in JSON arrays.
 *
 * @throws {ResultNotJsonError}
 * @throws {ResultTooLargeError} It exceeds `bytesMax`.
 */
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
