/**
 * Nonces of requests that were carried out, for as long as their requests would still be taken. A request that is sent
 * again finds its own; where there are too many to remember, none is taken until some have aged.
 */
export class SeenNonces {
  readonly #countMax: number;
  /** By the time at which each may be forgotten, which only rises. */
  readonly #until = new Map<string, number>();

  constructor(countMax: number) {
    this.#countMax = countMax;
  }

  /** @returns `new`, and it is seen from now on; `seen`; or `full`. */
  meet(nonce: string, times: { readonly nowMs: number; readonly lifeMs: number }): "new" | "seen" | "full" {
    for (const [old, untilMs] of this.#until) {
      if (untilMs > times.nowMs) break;
      this.#until.delete(old);
    }
    if (this.#until.has(nonce)) return "seen";
    if (this.#until.size >= this.#countMax) return "full";
    this.#until.set(nonce, times.nowMs + times.lifeMs);
    return "new";
  }
}
