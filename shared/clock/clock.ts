/**
 * The one place that reads time. Tests move it with `setClock`; nothing else may call `Date.now()`.
 * Milliseconds since the epoch, UTC.
 */
export interface Clock {
  now(): number;
}

const systemClock: Clock = { now: () => Date.now() };
let current: Clock = systemClock;

export function now(): number {
  return current.now();
}

let writtenMs = Number.NaN;
let written = "";

/** RFC 3339 in UTC with milliseconds, as every wire field writes a time. */
export function timestamp(atMs: number = now()): string {
  // A busy process asks for the same millisecond many times over.
  if (atMs !== writtenMs) {
    written = new Date(atMs).toISOString();
    writtenMs = atMs;
  }
  return written;
}

/** Replaces the clock; returns a function that puts the system clock back. For tests and fault plans only. */
export function setClock(clock: Clock): () => void {
  current = clock;
  return () => {
    current = systemClock;
  };
}
