import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { LibraryUnavailableError } from "../errors.ts";
import { choosePassages, heldBackOf, PER_SOURCE_DEFAULT } from "./choose-passages.ts";
import { readHtml } from "./formats/read-html.ts";
import { readMarkdown } from "./formats/read-markdown.ts";
import { PDF_BYTES_MAX, readPdf } from "./formats/read-pdf.ts";
import type { HeldBack, Library } from "./library.ts";
import { PassageIndex } from "./rank-passages.ts";
import { readSource } from "./read-source.ts";
import type { Source } from "./read-source.ts";

/** How much of a folder is read. */
export interface FolderLibraryOptions {
  /**
   * Folder with the sources as `*.txt`, `*.md`, `*.html` and `*.pdf`. Asked when first needed, so that loading a team
   * needs no configuration.
   */
  readonly folder: () => string;
  /** Default 2,000. */
  readonly filesMax?: number;
  /** Of one source; a larger one is refused. Default 512 KiB; of a PDF 16 MiB. */
  readonly fileBytesMax?: number;
  /** Of all sources together. Default 64 MiB. */
  readonly bytesMax?: number;
  /** Maximum passages of one source among the results. Default 3. */
  readonly perSource?: number;
}

interface Shelf {
  readonly index: PassageIndex;
  readonly heldBack: ReadonlyMap<string, HeldBack>;
}

type ReadFile = (sourceId: string, bytes: Buffer) => Source | Promise<Source>;

const ofText =
  (read: (sourceId: string, text: string) => Source): ReadFile =>
  (sourceId, bytes) =>
    read(sourceId, bytes.toString("utf8"));

/** Reading a folder is shared by all searches, so that no single one of them can give it up. */
const UNSHARED = new AbortController().signal;

const FORMATS: ReadonlyMap<string, ReadFile> = new Map([
  [".txt", ofText(readSource)],
  [".md", ofText(readMarkdown)],
  [".markdown", ofText(readMarkdown)],
  [".html", ofText(readHtml)],
  [".htm", ofText(readHtml)],
  [".pdf", (sourceId, bytes) => readPdf(sourceId, bytes, UNSHARED)],
]);

/** Sources in a folder, read once when they are first asked for. */
export function createFolderLibrary(options: FolderLibraryOptions): Library {
  const { perSource = PER_SOURCE_DEFAULT } = options;
  let shelf: Promise<Shelf> | undefined;
  return {
    async search({ text, passagesMax }, signal) {
      shelf ??= readShelf(options).catch((error: unknown) => {
        // Another try may find the folder again.
        shelf = undefined;
        throw error;
      });
      const { index, heldBack } = await shelf;
      signal.throwIfAborted();
      return choosePassages(index.rank(text), { heldBack, passagesMax, perSource });
    },
  };
}

async function readShelf(options: FolderLibraryOptions): Promise<Shelf> {
  const sources = await readSources(options).catch((error: unknown) => {
    if (error instanceof LibraryUnavailableError) throw error;
    throw new LibraryUnavailableError("its folder cannot be read", error);
  });
  return {
    index: new PassageIndex(sources.flatMap(({ passages }) => passages)),
    heldBack: heldBackOf(sources),
  };
}

async function readSources({
  folder,
  filesMax = 2000,
  fileBytesMax = 512 * 1024,
  bytesMax = 64 * 1024 * 1024,
}: FolderLibraryOptions): Promise<Source[]> {
  const base = folder();
  const names = (await readdir(base)).filter((name) => FORMATS.has(extension(name))).toSorted();
  if (names.length > filesMax) throw new LibraryUnavailableError(`it has more than ${filesMax} sources`);
  let bytes = 0;
  const sources: Source[] = [];
  for (const name of names) {
    const file = join(base, name);
    const { size } = await stat(file);
    bytes += size;
    const fileMax = extension(name) === ".pdf" ? PDF_BYTES_MAX : fileBytesMax;
    if (size > fileMax || bytes > bytesMax)
      throw new LibraryUnavailableError("a source, or all of them, are larger than may be read");
    const read = FORMATS.get(extension(name));
    // A text goes by its name; others keep their ending, so that two forms of one report are two sources.
    const sourceId = extension(name) === ".txt" ? name.slice(0, -".txt".length) : name;
    if (read !== undefined) sources.push(await read(sourceId, await readFile(file)));
  }
  return sources;
}

function extension(name: string): string {
  return extname(name).toLowerCase();
}
