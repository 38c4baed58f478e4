import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { LibraryUnavailableError } from "../errors.ts";
import type { HeldBack, Library, Passage, Search } from "./library.ts";
import { PassageIndex } from "./rank-passages.ts";
import { readSource } from "./read-source.ts";

/** How much of a folder is read. */
export interface FolderLibraryOptions {
  /** Folder with the sources as `*.txt`. Asked when first needed, so that loading a team needs no configuration. */
  readonly folder: () => string;
  /** Default 2,000. */
  readonly filesMax?: number;
  /** Of one source; a larger one is refused. Default 512 KiB. */
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

/** Sources in a folder, read once when they are first asked for. */
export function createFolderLibrary(options: FolderLibraryOptions): Library {
  const { perSource = 3 } = options;
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
      return choose(index.rank(text), { heldBack, passagesMax, perSource });
    },
  };
}

function choose(
  ranked: readonly Passage[],
  limits: {
    readonly heldBack: Shelf["heldBack"];
    readonly passagesMax: number;
    readonly perSource: number;
  },
): Search {
  const passages: Passage[] = [];
  const held = new Map<string, HeldBack>();
  const taken = new Map<string, number>();
  for (const passage of ranked) {
    if (passages.length === limits.passagesMax) break;
    const { source_id: source } = passage;
    const heldBack = limits.heldBack.get(source);
    if (heldBack !== undefined) held.set(source, heldBack);
    const count = taken.get(source) ?? 0;
    if (heldBack !== undefined || count === limits.perSource) continue;
    taken.set(source, count + 1);
    passages.push(passage);
  }
  return { passages, held_back: [...held.values()] };
}

async function readShelf(options: FolderLibraryOptions): Promise<Shelf> {
  const sources = await readSources(options).catch((error: unknown) => {
    if (error instanceof LibraryUnavailableError) throw error;
    throw new LibraryUnavailableError("its folder cannot be read", error);
  });
  const heldBack = sources.flatMap(({ heldBack: held }) => (held === null ? [] : [held]));
  return {
    index: new PassageIndex(sources.flatMap(({ passages }) => passages)),
    heldBack: new Map(heldBack.map((held) => [held.source_id, held])),
  };
}

async function readSources({
  folder,
  filesMax = 2000,
  fileBytesMax = 512 * 1024,
  bytesMax = 64 * 1024 * 1024,
}: FolderLibraryOptions) {
  const base = folder();
  const names = (await readdir(base)).filter((name) => name.endsWith(".txt")).toSorted();
  if (names.length > filesMax) throw new LibraryUnavailableError(`it has more than ${filesMax} sources`);
  let bytes = 0;
  const sources = [];
  for (const name of names) {
    const file = join(base, name);
    const { size } = await stat(file);
    bytes += size;
    if (size > fileBytesMax || bytes > bytesMax)
      throw new LibraryUnavailableError("a source, or all of them, are larger than may be read");
    sources.push(readSource(name.slice(0, -".txt".length), await readFile(file, "utf8")));
  }
  return sources;
}
