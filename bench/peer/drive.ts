import type { ChainPeer } from "./peer.ts";

export interface Driven {
  /** From submitting to the end, one for each run, in ms. */
  readonly latencies: readonly number[];
  /** From submitting until the server had it, one for each run, in ms. */
  readonly submits: readonly number[];
  readonly seconds: number;
}

/**
 * A closed loop: a run is submitted as soon as an earlier one has ended, so that `outstanding` are always under way.
 *
 * @param load.signal - Ends the drive with an error: a peer that loses a run must not keep us for ever.
 */
export async function drive(
  peer: ChainPeer,
  load: {
    readonly runs: number;
    readonly outstanding: number;
    readonly priority: "normal" | "high";
    readonly signal: AbortSignal;
    /** Ends the drive early, once it says so. Default: never. */
    readonly isOver?: () => boolean;
  },
): Promise<Driven> {
  const latencies: number[] = [];
  const submits: number[] = [];
  const startedMs = performance.now();
  let begun = 0;
  const keepOneUnderWay = async (): Promise<void> => {
    while (begun < load.runs && load.isOver?.() !== true) {
      load.signal.throwIfAborted();
      begun += 1;
      const submittedMs = performance.now();
      const { promise: ended, resolve: onEnd } = Promise.withResolvers<void>();
      await peer.submit({ priority: load.priority, line: "chain", onEnd });
      submits.push(performance.now() - submittedMs);
      await ended;
      latencies.push(performance.now() - submittedMs);
    }
  };
  const all = Promise.all(Array.from({ length: load.outstanding }, keepOneUnderWay));
  await Promise.race([all, whenAborted(load.signal)]);
  return { latencies, submits, seconds: (performance.now() - startedMs) / 1000 };
}

/**
 * Keeps as many runs waiting as there are: for each run that ends, whichever it is, another is submitted.
 *
 * @param load.ends - Runs that end before it is over.
 * @returns seconds that took.
 */
export async function keepLevel(
  peer: ChainPeer,
  load: { readonly ends: number; readonly signal: AbortSignal },
): Promise<number> {
  const startedMs = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // An end may be told twice, as everything that is delivered at least once.
  const ended = new Set<string>();
  const stop = peer.ends.listen((runId) => {
    if (ended.has(runId)) return;
    ended.add(runId);
    if (ended.size === load.ends) resolve();
    if (ended.size < load.ends) peer.submit({ priority: "normal", line: "chain" }).catch(reject);
  });
  try {
    await Promise.race([promise, whenAborted(load.signal)]);
  } finally {
    stop();
  }
  return (performance.now() - startedMs) / 1000;
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

const FILL_OUTSTANDING = 100;

/** Submits `count` runs that nobody waits for. */
export async function fill(
  peer: ChainPeer,
  backlog: { readonly count: number; readonly line: "chain" | "aside"; readonly signal: AbortSignal },
): Promise<void> {
  let unsubmitted = backlog.count;
  const submitters = Array.from({ length: FILL_OUTSTANDING }, async () => {
    while (unsubmitted > 0) {
      backlog.signal.throwIfAborted();
      unsubmitted -= 1;
      await peer.submit({ priority: "normal", line: backlog.line });
    }
  });
  await Promise.all(submitters);
}
