import { whenAborted } from "#shared/clock";
import type { ChainPeer } from "./peer.ts";

export interface Driven {
  /** From submitting to the end, one for each run, in ms. */
  readonly latencies: readonly number[];
  readonly seconds: number;
}

/** A closed loop of `outstanding` runs. @param load.signal - Ends the drive with an error, as when a run is lost. */
export async function drive(
  peer: ChainPeer,
  load: {
    readonly runs: number;
    readonly outstanding: number;
    readonly signal: AbortSignal;
  },
): Promise<Driven> {
  const latencies: number[] = [];
  const startedMs = performance.now();
  let begun = 0;
  const keepOneUnderWay = async (): Promise<void> => {
    while (begun < load.runs) {
      load.signal.throwIfAborted();
      begun += 1;
      const submittedMs = performance.now();
      const { promise: ended, resolve: onEnd } = Promise.withResolvers<void>();
      await peer.submit({ onEnd });
      await ended;
      latencies.push(performance.now() - submittedMs);
    }
  };
  const all = Promise.all(Array.from({ length: load.outstanding }, keepOneUnderWay));
  await Promise.race([all, whenAborted(load.signal)]);
  return { latencies, seconds: (performance.now() - startedMs) / 1000 };
}
