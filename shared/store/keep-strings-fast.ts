import Module, { createRequire } from "node:module";

/**
 * Loaded before ioredis, and for the sake of that alone.
 *
 * V8 reads strings on its fast paths only as long as nothing in the process inherits from `String.prototype`: after that a
 * `charCodeAt` or `slice` in compiled code is a call, and all code that looks at characters takes two to five times as
 * long, first aid above all. ioredis declares such a class, `VerbatimString`, for a kind of reply that it hands out only
 * where its user asks for it by that class, which nobody here does. It is given one of that name that inherits nothing.
 *
 * Should another version of ioredis keep the class elsewhere, nothing breaks: strings are slow again, and the test says so.
 */
const INHERITS_FROM_STRING = "ioredis/built/resp/verbatim-string.js";

/** A text together with its format, `txt` or `mkd`. */
class VerbatimString {
  readonly format: string;
  private readonly text: string;

  constructor(format: string, text: string) {
    this.format = format;
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

const required = createRequire(import.meta.url);
const path = pathOf(INHERITS_FROM_STRING);
if (path !== undefined && required.cache[path] === undefined) {
  const standIn = new Module(path);
  standIn.exports = { VerbatimString };
  standIn.loaded = true;
  required.cache[path] = standIn;
}

function pathOf(name: string): string | undefined {
  try {
    return required.resolve(name);
  } catch {
    return undefined;
  }
}
