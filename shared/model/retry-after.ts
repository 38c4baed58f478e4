import { now } from "#shared/clock";

/** In milliseconds: the wait where the endpoint names none, and the bounds of one that it names. */
const DELAY_MS = { usual: 2_000, min: 50, max: 60_000 } as const;

/**
 * The wait that a 429 asks for, in milliseconds, within bounds whatever the headers hold: `retry-after-ms` first, then
 * `retry-after` as seconds or as an HTTP date.
 */
export function readRetryAfter(headers: Headers | undefined): number {
  const asked = parseMs(headers?.get("retry-after-ms")) ?? parseSecondsOrDate(headers?.get("retry-after"));
  return Math.min(DELAY_MS.max, Math.max(DELAY_MS.min, Math.ceil(asked ?? DELAY_MS.usual)));
}

const NUMBER = /^\d{1,15}(\.\d{1,9})?$/;

function parseMs(text: string | null | undefined): number | null {
  return text !== null && text !== undefined && NUMBER.test(text.trim()) ? Number(text.trim()) : null;
}

function parseSecondsOrDate(text: string | null | undefined): number | null {
  if (text === null || text === undefined) return null;
  const seconds = parseMs(text);
  if (seconds !== null) return seconds * 1_000;
  // Only dates name a day or month; `Date.parse` also reads "-5" and other numbers as years.
  const atMs = /[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? null : atMs - now();
}
