/** Reads time, in ms since the epoch, for all: nothing else may call `Date.now()`. Tests move it with `setClock`. */
export interface Clock {
  now(): number;
}

/** Origin to which `performance.now()` is added, in ms since the epoch. Null until the clock was corrected once. */
let originMs: number | null = null;

const machineClock: Clock = {
  now: () => (originMs === null ? Date.now() : Math.floor(originMs + performance.now())),
};
let current: Clock = machineClock;

/**
 * Returns the time by which everything is stamped and judged. Once `correctClock` was called it goes by a clock that
 * only runs, so that a machine whose time is set anew, by hand or by its time service, moves nothing here.
 */
export function now(): number {
  return current.now();
}

/** Returns the time of this machine as it is set, which file times are by. */
export function wallNow(): number {
  return current === machineClock ? Date.now() : current.now();
}

/** Moves `now` by so many ms, and from then on lets it only run. A clock set by `setClock` stays as it is. */
export function correctClock(byMs: number): void {
  originMs = (originMs ?? Date.now() - performance.now()) + byMs;
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

/** Replaces the clock; returns a function that puts the machine's back. For tests and fault plans only. */
export function setClock(clock: Clock): () => void {
  current = clock;
  return () => {
    current = machineClock;
  };
}
