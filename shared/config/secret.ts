import { inspect } from "node:util";

const SHOWN = "[secret]";

/** A value that prints as `[secret]` everywhere; only `reveal()` gives it, which a search finds. */
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
