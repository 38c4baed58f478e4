import { inspect } from "node:util";

const SHOWN = "[secret]";

/**
 * A value that must not reach a log, an error or a page by accident: every way of printing it gives `[secret]`.
 * Only `reveal()` gives the value, so that a search for that word finds every use.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself. Pass it on at once; do not keep or print it. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return SHOWN;
  }

  toJSON(): string {
    return SHOWN;
  }

  [inspect.custom](): string {
    return SHOWN;
  }
}
