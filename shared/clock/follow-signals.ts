/** A signal that follows others until it is let go. */
export interface Following {
  readonly signal: AbortSignal;
  /** Aborts it without the others. */
  readonly abort: (reason: unknown) => void;
  /** Takes every trace of it off the others. Afterwards it follows nobody. */
  readonly letGo: () => void;
}

/**
 * A signal that is aborted with the first of `sources`. Unlike `AbortSignal.any` it can be let go: while a source
 * lives, Node keeps a combined signal with listeners, and all that they hold.
 */
export function followSignals(sources: readonly AbortSignal[]): Following {
  const controller = new AbortController();
  const listeners = sources.map((source) => ({
    source,
    onAbort: (): void => controller.abort(source.reason),
  }));
  for (const { source, onAbort } of listeners) {
    if (source.aborted) onAbort();
    else source.addEventListener("abort", onAbort, { once: true });
  }
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    letGo() {
      for (const { source, onAbort } of listeners) source.removeEventListener("abort", onAbort);
    },
  };
}
