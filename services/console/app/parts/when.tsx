import { useSyncExternalStore } from "react";

const EVERY_MS = 5000;
const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1000],
] as const;

/** A duration in the largest unit that it fills, as "4 min". @param ms - Below 0 counts as 0. */
export function spanOf(ms: number): string {
  const [unit, length] = UNITS.find(([, one]) => ms >= one) ?? ["s", 1000];
  return `${Math.floor(Math.max(0, ms) / length)} ${unit}`;
}

function subscribe(tick: () => void): () => void {
  const timer = setInterval(tick, EVERY_MS);
  return () => clearInterval(timer);
}

/** The time now, in ms since the epoch, anew every five seconds. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => Math.floor(Date.now() / EVERY_MS) * EVERY_MS);
}

/** How long ago something was, or how long it is until then; the exact time on hover. */
export function When({ at }: { readonly at: number | string | null }) {
  const now = useNow();
  if (at === null) return <span>–</span>;
  const date = new Date(at);
  const age = now - date.getTime();
  return (
    <time dateTime={date.toISOString()} title={date.toLocaleString(undefined, { timeZoneName: "short" })}>
      {age <= -EVERY_MS ? `in ${spanOf(-age)}` : `${spanOf(age)} ago`}
    </time>
  );
}
