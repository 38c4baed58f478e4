import { ResultNotJsonError, ResultTooLargeError } from "../errors.ts";

/**
 * Converts a value to the JSON text that is recorded. `undefined` becomes null, as in JSON arrays.
 *
 * @throws {ResultNotJsonError} It has a cycle or a BigInt.
 * @throws {ResultTooLargeError} It exceeds `bytesMax`.
 */
export function toJsonText(
  value: unknown,
  owner: { readonly agent: string; readonly bytesMax: number },
): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value === undefined ? null : value);
  } catch (cause) {
    throw new ResultNotJsonError(owner.agent, cause);
  }
  if (text === undefined) throw new ResultNotJsonError(owner.agent);
  const bytes = Buffer.byteLength(text);
  if (bytes > owner.bytesMax) throw new ResultTooLargeError(owner.agent, { bytes, bytesMax: owner.bytesMax });
  return text;
}
