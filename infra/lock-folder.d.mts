export class LockTimeoutError extends Error {
  readonly code: "LOCK_TIMEOUT";
}

/** Runs `work` under the lock, and releases it. @throws {LockTimeoutError} Another process held it for `timeoutMs`. */
export function withLockFolder<Result>(
  lock: { readonly folder: string; readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  work: () => Promise<Result> | Result,
): Promise<Result>;

/** What tells a process from a later one with the same id. */
export function processIdentity(pid: number): string;

/** Whether the process that gave this identity still runs. */
export function isSameProcess(identity: string): boolean;
