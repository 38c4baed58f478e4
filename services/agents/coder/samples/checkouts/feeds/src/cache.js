/** Keeps what was loaded for a while. The clock is passed in: milliseconds. */
export class Cache {
  #entries = new Map();

  constructor({ lifeMs, now }) {
    this.lifeMs = lifeMs;
    this.now = now;
  }

  get(key) {
    const entry = this.#entries.get(key);
    if (entry === undefined || this.now() - entry.at >= this.lifeMs) return undefined;
    return entry.value;
  }

  set(key, value) {
    this.#entries.set(key, { value, at: this.now() });
    return value;
  }

  get size() {
    return this.#entries.size;
  }
}
