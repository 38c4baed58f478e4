import { TooManyUploadsError, TooManyWaitersError } from "../errors.ts";
import type { Gateway } from "../gateway.ts";
import type { Caller } from "../tenancy/may-see.ts";

/**
 * Takes a place for a request that waits.
 *
 * @returns A function that gives it back; calling it again has no effect.
 * @throws {TooManyWaitersError}
 */
export function takeWaitingPlace({ waiters }: Pick<Gateway, "waiters">, caller: Caller): () => void {
  const leave = waiters.enter(caller);
  if (leave === null) throw new TooManyWaitersError();
  return leave;
}

/** Takes a place for an upload, in the same way. @throws {TooManyUploadsError} */
export function takeUploadPlace({ uploads }: Pick<Gateway, "uploads">, caller: Caller): () => void {
  const leave = uploads.enter(caller);
  if (leave === null) throw new TooManyUploadsError();
  return leave;
}
