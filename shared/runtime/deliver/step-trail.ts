/** Remembers which step of a handler an error came out of. One per delivery. */
export class StepTrail {
  #last: string | null = null;
  readonly #failed = new WeakMap<object, string>();

  /** Runs a step of the handler. */
  async within<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
    this.#last = name;
    try {
      return await work();
    } catch (error) {
      if (typeof error === "object" && error !== null) this.#failed.set(error, name);
      throw error;
    }
  }

  /** Returns the step that an error was thrown in; for one of the handler's own code, the last one begun. */
  of(error: unknown): string | null {
    const failed = typeof error === "object" && error !== null ? this.#failed.get(error) : undefined;
    return failed ?? this.#last;
  }
}
