import Module, { createRequire } from "node:module";

/**
 * Owns our patch of ioredis: works around the slow strings that it causes. Must be loaded before ioredis.
 *
 * V8 keeps its fast paths for strings only as long as no class in the process inherits from `String.prototype`.
 * Otherwise `charCodeAt` and `slice` become calls in compiled code, and code that reads characters (first aid above
 * all) takes two to five times as long. ioredis declares such a class, `VerbatimString`, for a reply type that is
 * only used on request, and never here. This module replaces it by a class of the same name that inherits nothing.
 *
 * Version guard: another major version of ioredis, one that moved the class, and one that is loaded already are left
 * as they are. Then strings are slow and nothing else changes; `areStringsFast` says so, and the benchmark prints it.
 * After an update: see that the class still has only a format and a text, then raise `MAJOR`. The tests fail until
 * then.
 *
 * Report for upstream (ioredis): "`VerbatimString` extends `String`, which invalidates V8's protector
 * `StringWrapperToPrimitive` when the module is loaded, also with RESP2. From then on string methods in optimised code
 * of the whole process take two to five times as long (`node --trace-protector-invalidation`). Please hold the text in
 * a field and define `toString`, or create the class at the first verbatim reply."
 */
const INHERITS_FROM_STRING = "ioredis/built/resp/verbatim-string.js";
const MAJOR = "6";

/** A text with its format, `txt` or `mkd`. */
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

/** True if the class was replaced in time. */
export const areStringsFast = replaceClass();

function replaceClass(): boolean {
  const path = isKnownVersion() ? pathOf(INHERITS_FROM_STRING) : undefined;
  if (path === undefined || required.cache[path] !== undefined) return false;
  const standIn = new Module(path);
  standIn.exports = { VerbatimString };
  standIn.loaded = true;
  required.cache[path] = standIn;
  return true;
}

function isKnownVersion(): boolean {
  const path = pathOf("ioredis/package.json");
  const about: { readonly version?: unknown } = path === undefined ? {} : Object(required(path));
  return String(about.version).startsWith(`${MAJOR}.`);
}

function pathOf(name: string): string | undefined {
  try {
    return required.resolve(name);
  } catch {
    return undefined;
  }
}
