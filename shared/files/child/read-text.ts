import { FaultError } from "../reading.ts";
import type { ChildTask } from "../reading.ts";

/** Control characters that no text has; a form feed ends a page. */
const BINARY = /(?![\t\n\v\f\r])\p{Cc}/u;

/**
 * Reads a text or XML as pages, parted by form feeds: UTF-8, UTF-16 by its mark, or else Windows-1252, in which old
 * programs write. XML is text here: nothing in it is expanded or fetched.
 */
export function readText(bytes: Uint8Array, { charactersMax, pagesMax }: ChildTask): string[] {
  const text = decode(bytes);
  if (BINARY.test(text)) throw new FaultError("damaged");
  if (text.length > charactersMax) throw new FaultError("too_much_text");
  const pages = text.replaceAll(/\r\n?/g, "\n").split("\f");
  if (pages.every((page) => page.trim() === "")) throw new FaultError("without_text");
  if (pages.length > pagesMax) throw new FaultError("too_many_pages");
  return pages;
}

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
