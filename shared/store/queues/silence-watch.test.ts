import { describe, expect, it } from "vitest";
import { SilenceWatch } from "./silence-watch.ts";

const WAITING = { fetchable: 3, isFree: true, fetchedMs: 0, erredMs: -Infinity };

/** Looks once each 100 ms and collects what is not well, with its time. */
function watchFor(
  watch: SilenceWatch,
  untilMs: number,
  look: (atMs: number) => object = () => ({}),
): string[] {
  const said: string[] = [];
  for (let atMs = 0; atMs <= untilMs; atMs += 100) {
    const verdict = watch.judge({ ...WAITING, atMs, ...look(atMs) });
    if (verdict !== "well") said.push(`${verdict} ${atMs}`);
  }
  return said;
}

describe("the watch over silence", () => {
  it("calls silent who fetches nothing while work waits, with growing patience, and gives up after the last restart", () => {
    const watch = new SilenceWatch({ silentMs: 1000, restartsMax: 3 });
    expect(watchFor(watch, 16_000)).toEqual(["silent 1000", "silent 3100", "silent 7200", "given_up 15300"]);
  });

  it("finds nothing in who is idle, busy, held or refused, however long", () => {
    const open = () => new SilenceWatch({ silentMs: 1000, restartsMax: 3 });
    expect(watchFor(open(), 60_000, () => ({ fetchable: 0 }))).toEqual([]);
    expect(watchFor(open(), 60_000, () => ({ isFree: false }))).toEqual([]);
    expect(watchFor(open(), 60_000, (atMs) => ({ erredMs: atMs - 900 }))).toEqual([]);
    expect(watchFor(open(), 60_000, (atMs) => ({ fetchedMs: atMs - 900 }))).toEqual([]);
  });

  it("does not take one fetch after a restart for health", () => {
    const watch = new SilenceWatch({ silentMs: 1000, restartsMax: 1 });
    const said = watchFor(watch, 5000, (atMs) => ({ fetchedMs: atMs >= 1500 ? 1500 : 0 }));
    expect(said).toEqual(["silent 1000", "given_up 3500"]);
  });

  it("begins the count anew for a consumer that was well for long after its restart", () => {
    const watch = new SilenceWatch({ silentMs: 1000, restartsMax: 1 });
    const fetchedAt = (atMs: number): number => (atMs < 1100 ? 0 : Math.min(atMs, 11_100));
    const said = watchFor(watch, 12_500, (atMs) => ({ fetchedMs: fetchedAt(atMs) }));
    expect(said).toEqual(["silent 1000", "silent 12100"]);
  });
});
