import Module, { createRequire } from "node:module";

/**
 * Works around the slow strings that ioredis causes. Must be loaded before ioredis.
 *
 * V8 keeps its fast paths for strings only as long as no class of the process inherits from `String.prototype`: then
 * first aid, which reads characters, takes two to five times as long. ioredis declares such a class, `VerbatimString`,
 * for a reply type that is only used on request. This module replaces it by one that inherits nothing.
 *
 * Another major version of ioredis, one that moved the class, and one that is loaded already are left as they are: then
 * strings are slow, which `areStringsFast` says. After an update: see that the class still has only a format and a
 * text, then raise `MAJOR`. The tests fail until then.
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
