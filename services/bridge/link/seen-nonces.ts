/**
 * Replay protection: remembers the nonces of accepted requests for as long as those requests are valid. A full memory
 * refuses new nonces until old ones expire.
 */
export class SeenNonces {
  readonly #countMax: number;
  /** Expiry by nonce, in ascending order. */
  readonly #until = new Map<string, number>();

  constructor(countMax: number) {
    this.#countMax = countMax;
  }

  /** Records a nonce. @returns `new` when it was recorded, `seen` for a replay, `full` at the limit. */
  add(nonce: string, times: { readonly nowMs: number; readonly lifeMs: number }): "new" | "seen" | "full" {
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
