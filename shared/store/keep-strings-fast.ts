import Module, { createRequire } from "node:module";

/**
 * Works around slow strings caused by ioredis. Must be loaded before ioredis.
 *
 * V8 keeps its fast paths for strings only as long as no class in the process inherits from `String.prototype`.
 * Otherwise `charCodeAt` and `slice` become calls in compiled code, and code that reads characters (first aid above
 * all) takes two to five times as long. ioredis declares such a class, `VerbatimString`, for a reply type that is
 * only used on request, and never here. This module replaces it by a class of the same name that inherits nothing.
 *
 * If another version of ioredis moves the class, strings are slow again and nothing else changes; a test reports
 * it.
 */
const INHERITS_FROM_STRING = "ioredis/built/resp/verbatim-string.js";

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
  const path = pathOf(INHERITS_FROM_STRING);
  if (path === undefined || required.cache[path] !== undefined) return false;
  const standIn = new Module(path);
  standIn.exports = { VerbatimString };
  standIn.loaded = true;
  required.cache[path] = standIn;
  return true;
}

function pathOf(name: string): string | undefined {
  try {
    return required.resolve(name);
  } catch {
    return undefined;
  }
}
