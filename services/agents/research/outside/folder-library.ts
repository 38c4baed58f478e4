import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { readUntrustedFile } from "#shared/files";
import { LibraryUnavailableError } from "./library.ts";
import { choosePassages, heldBackOf, PassageIndex } from "./rank-passages.ts";
import { readSource, toSource, unreadableSource } from "./library.ts";
import type { HeldBack } from "../contracts.ts";
import type { Library, Source } from "./library.ts";

const FILES_MAX = 2000;
/** Of one source that is no PDF, and of all together. */
const FILE_BYTES_MAX = 512 * 1024;
const BYTES_MAX = 64 * 1024 * 1024;

interface Shelf {
  readonly index: PassageIndex;
  readonly heldBack: ReadonlyMap<string, HeldBack>;
}

const READABLE: readonly string[] = [".txt", ".md", ".markdown", ".pdf"];

/** Sources in a folder as `*.txt`, `*.md`, `*.pdf`. @param folder - Asked at the first search, not at load. */
export function createFolderLibrary(folder: () => string): Library {
  let shelf: Promise<Shelf> | undefined;
  return {
    async search({ text, passagesMax }, signal) {
      shelf ??= readShelf(folder).catch((error: unknown) => {
        // Another try may find the folder again.
        shelf = undefined;
        throw error;
      });
      const { index, heldBack } = await shelf;
      signal.throwIfAborted();
      return choosePassages(index.rank(text), heldBack, passagesMax);
    },
  };
}

async function readShelf(folder: () => string): Promise<Shelf> {
  const sources = await readSources(folder()).catch((error: unknown) => {
    if (error instanceof LibraryUnavailableError) throw error;
    throw new LibraryUnavailableError("its folder cannot be read", error);
  });
  return {
    index: new PassageIndex(sources.flatMap(({ passages }) => passages)),
    heldBack: heldBackOf(sources),
  };
}

async function readSources(folder: string): Promise<Source[]> {
  const names = (await readdir(folder)).filter((name) => READABLE.includes(extension(name))).toSorted();
  if (names.length > FILES_MAX) throw new LibraryUnavailableError(`it has more than ${FILES_MAX} sources`);
  let bytes = 0;
  const sources: Source[] = [];
  for (const name of names) {
    const file = join(folder, name);
    const { size } = await stat(file);
    bytes += size;
    const isPdf = extension(name) === ".pdf";
    if (size > (isPdf ? PDF_BYTES_MAX : FILE_BYTES_MAX) || bytes > BYTES_MAX)
      throw new LibraryUnavailableError("a source, or all of them, are larger than may be read");
    // A text goes by its name; others keep their ending, so that two forms of one report are two sources.
    const sourceId = extension(name) === ".txt" ? name.slice(0, -".txt".length) : name;
    const content = await readFile(file);
    sources.push(isPdf ? await readPdf(sourceId, content) : readSource(sourceId, content.toString("utf8")));
  }
  return sources;
}

function extension(name: string): string {
  return extname(name).toLowerCase();
}

const PDF_BYTES_MAX = 16 * 1024 * 1024;

/** Reads a PDF in a sandbox; scanned pages are unreadable. @throws what `readUntrustedFile` throws. */
async function readPdf(sourceId: string, bytes: Uint8Array): Promise<Source> {
  // Reading a folder is shared by all searches, so that no single one of them can give it up.
  const { signal } = new AbortController();
  const read = await readUntrustedFile({ bytes, type: "application/pdf", signal, letters: {} });
  if ("fault" in read) return unreadableSource(sourceId, read.fault);
  const pages = read.reading.kind === "pages" ? read.reading.pages.map((page) => page.trim()) : [];
  const [title] = pages.join("\n").split("\n", 1);
  return toSource({ sourceId, title, body: pages.join("\n\n") });
}
