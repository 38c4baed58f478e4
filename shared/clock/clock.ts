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

const SECOND_MS = 1000;
let second = Number.NaN;
let secondText = "";

/** RFC 3339 in UTC with milliseconds, as every wire field writes a time. */
export function timestamp(atMs: number = now()): string {
  const whole = Math.floor(atMs / SECOND_MS);
  // A busy process asks for the same second thousands of times over.
  if (whole !== second) {
    secondText = new Date(whole * SECOND_MS).toISOString().slice(0, -"000Z".length);
    second = whole;
  }
  const millis = Math.floor(atMs - whole * SECOND_MS);
  return `${secondText}${millis < 10 ? "00" : millis < 100 ? "0" : ""}${millis}Z`;
}

/** Replaces the clock; returns a function that puts the system clock back. For tests and fault plans only. */
export function setClock(clock: Clock): () => void {
  current = clock;
  return () => {
    current = systemClock;
  };
}
