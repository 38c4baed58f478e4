import { writeFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { FaultError, PACKAGES_MISSING } from "../reading.ts";
import type { ChildTask, Fault, Reading } from "../reading.ts";

/** Control characters that no text has; a form feed ends a page. */
const BINARY = /(?![\t\n\v\f\r])\p{Cc}/u;

/** Reads text or XML as pages, parted by form feeds: UTF-8, marked UTF-16, else Windows-1252. Expands nothing. */
function readText(bytes: Uint8Array, { charactersMax, pagesMax }: ChildTask): string[] {
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

// A process for one file of strangers: its bytes come in, what was read goes out, and nothing else can be reached.

/** The file descriptor on which the answer is awaited. */
const RESULT = 3;

async function read(bytes: Buffer, task: ChildTask): Promise<Reading> {
  if (bytes.length === 0) throw new FaultError("empty");
  switch (task.type) {
    case "application/pdf":
      return { kind: "pages", ...(await (await load(() => import("./read-pdf.ts"))).readPdf(bytes, task)) };
    case "application/xml":
    case "text/plain":
      return { kind: "pages", pages: readText(bytes, task), ocr: null };
    case "image/png":
    case "image/jpeg":
      return {
        kind: "picture",
        ...(await (await load(() => import("./read-picture.ts"))).readPicture(bytes, task)),
      };
  }
}

/** Loads a decoder, whose packages are optional. */
function load<Module>(decoder: () => Promise<Module>): Promise<Module> {
  return decoder().catch(() => process.exit(PACKAGES_MISSING));
}

async function answer(): Promise<{ readonly reading: Reading } | { readonly fault: Fault }> {
  try {
    // Written by the parent.
    const task = JSON.parse(process.argv[2] ?? "") as ChildTask;
    return { reading: await read(await buffer(process.stdin), task) };
  } catch (error) {
    // A decoder may throw anything at bytes that are not what they should be: they are damaged.
    return { fault: error instanceof FaultError ? error.fault : "damaged" };
  }
}

writeFileSync(RESULT, JSON.stringify(await answer()));
process.exit(0);
