import { readdir, stat, copyFile, mkdir, open, realpath } from "node:fs/promises";
import { join, dirname } from "node:path";
import { constants } from "node:fs";
import { CheckoutTooLargeError } from "../errors.ts";
import { belongsToTests, isDependency, isHistory, isProjectPath, isSource } from "./project-path.ts";

const CHECKOUT_LIMITS = {
  /** Files walked over, dependencies included. */
  filesMax: 20_000,
  /** Bytes of all files that are copied. */
  bytesMax: 256 * 1024 * 1024,
  /** Bytes of one file that is read as text. */
  fileBytesMax: 256 * 1024,
  /** Bytes searched through in all. */
  searchBytesMax: 16 * 1024 * 1024,
  /** Places a search gives. */
  hitsMax: 40,
};

export interface ProjectFile {
  /** From the checkout's root, with slashes. */
  readonly path: string;
  readonly bytes: number;
}

interface Walk {
  readonly root: string;
  readonly signal: AbortSignal;
  /** Also what lies in `node_modules`. Default: false. */
  readonly withDependencies?: boolean;
  /** Default: `CHECKOUT_LIMITS`. */
  readonly filesMax?: number;
}

/** Every plain file of a checkout, sorted by path: no links, sockets or devices. @throws {CheckoutTooLargeError} */
export async function walkFiles(walk: Walk): Promise<ProjectFile[]> {
  const { root, signal, withDependencies = false, filesMax = CHECKOUT_LIMITS.filesMax } = walk;
  const files: ProjectFile[] = [];
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    signal.throwIfAborted();
    const entries = await readdir(join(root, folder), { withFileTypes: true });
    for (const entry of entries) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (isHistory(path) || (!withDependencies && isDependency(path))) continue;
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) files.push({ path, bytes: (await stat(join(root, path))).size });
    }
    if (files.length + folders.length > filesMax) throw new CheckoutTooLargeError("files", filesMax);
  }
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

interface Copy {
  readonly from: string;
  /** Made when missing; should be empty. */
  readonly to: string;
  /** Of all files. Default: `CHECKOUT_LIMITS`. */
  readonly bytesMax?: number;
  readonly signal: AbortSignal;
}

/** Copies a checkout's plain files and dependencies, no history. @throws {CheckoutTooLargeError} Before writing. */
export async function copyCheckout({
  from,
  to,
  bytesMax = CHECKOUT_LIMITS.bytesMax,
  signal,
}: Copy): Promise<ProjectFile[]> {
  const files = await walkFiles({ root: from, signal, withDependencies: true });
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes > bytesMax) throw new CheckoutTooLargeError("bytes", bytesMax);
  for (const folder of new Set([to, ...files.map(({ path }) => dirname(join(to, path)))])) {
    await mkdir(folder, { recursive: true });
  }
  for (const { path } of files) {
    signal.throwIfAborted();
    await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE);
  }
  return files;
}

/** Bytes looked at for a zero byte, which no text has. */
const PROBE_BYTES = 8192;

interface TextPlace {
  /** The checkout's real folder. */
  readonly root: string;
  readonly path: string;
  /** Default: `CHECKOUT_LIMITS`. */
  readonly bytesMax?: number;
}

/** Reads a text file of a checkout. @returns null where there is none inside it, or it is too large or binary. */
export async function readText(place: TextPlace): Promise<string | null> {
  const { root, path, bytesMax = CHECKOUT_LIMITS.fileBytesMax } = place;
  if (!isProjectPath(path) || isHistory(path)) return null;
  const file = join(root, path);
  try {
    // A link on the way would lead elsewhere; the root itself is real already.
    if ((await realpath(dirname(file))) !== dirname(file)) return null;
    await using handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const found = await handle.stat();
    if (!found.isFile() || found.size > bytesMax) return null;
    const bytes = await handle.readFile();
    return bytes.subarray(0, PROBE_BYTES).includes(0) ? null : bytes.toString("utf8");
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** No such file, a folder in its place, or a link where none is followed. */
function isMissing(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return ["ENOENT", "ENOTDIR", "ELOOP", "EISDIR", "ENXIO", "EMLINK", "ENAMETOOLONG"].includes(String(code));
}

/** One line in which one of the terms stands. */
interface SearchHit {
  readonly term: string;
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

interface TextSearch {
  readonly root: string;
  readonly files: readonly ProjectFile[];
  /** Looked for as they are, verbatim. */
  readonly terms: readonly string[];
  /** Places that are given. Default: `CHECKOUT_LIMITS`. */
  readonly hitsMax?: number;
  readonly signal: AbortSignal;
}

const TEXT_LENGTH_MAX = 200;

/** Looks for terms in a checkout, each with an even share of places. @returns `isCut` when a bound ended it. */
export async function searchText(search: TextSearch): Promise<{ hits: SearchHit[]; isCut: boolean }> {
  const { root, files, hitsMax = CHECKOUT_LIMITS.hitsMax, signal } = search;
  const terms = search.terms.filter((term) => term.trim().length > 1);
  const share = Math.max(1, Math.floor(hitsMax / Math.max(1, terms.length)));
  const counts = new Map<string, number>();
  const hits: SearchHit[] = [];
  let bytes = 0;
  let isCut = false;
  for (const { path, bytes: size } of files) {
    signal.throwIfAborted();
    if (bytes + size > CHECKOUT_LIMITS.searchBytesMax) {
      isCut = true;
      break;
    }
    const text = await readText({ root, path });
    if (text === null) continue;
    bytes += size;
    for (const hit of findInText(text, path, terms)) {
      const count = counts.get(hit.term) ?? 0;
      counts.set(hit.term, count + 1);
      if (count < share) hits.push(hit);
      else isCut = true;
    }
  }
  return { hits, isCut };
}

function findInText(text: string, path: string, terms: readonly string[]): SearchHit[] {
  const present = terms.filter((term) => text.includes(term));
  if (present.length === 0) return [];
  return text
    .split("\n")
    .flatMap((line, index) =>
      present
        .filter((term) => line.includes(term))
        .map((term) => ({ term, path, line: index + 1, text: line.trim().slice(0, TEXT_LENGTH_MAX) })),
    );
}

/** Characters of source text that one model step is shown, of one file and of all. */
const SHOWN_FILE_CHARACTERS_MAX = 60_000;
const SHOWN_CHARACTERS_MAX = 80_000;

interface SourceText {
  readonly path: string;
  readonly text: string;
}

/** Reads source files up to what a step is shown: those named, then the rest, tests first. Leaves out too long ones. */
export async function selectSources(
  root: string,
  files: readonly ProjectFile[],
  named: readonly string[],
): Promise<SourceText[]> {
  const paths = new Set(files.map(({ path }) => path));
  const rest = [...paths].toSorted((a, b) => Number(belongsToTests(b)) - Number(belongsToTests(a)));
  const sources: SourceText[] = [];
  let characters = 0;
  for (const path of new Set([...named.filter((one) => paths.has(one)), ...rest])) {
    const text = isSource(path) ? await readText({ root, path, bytesMax: SHOWN_FILE_CHARACTERS_MAX }) : null;
    if (text === null || characters + text.length > SHOWN_CHARACTERS_MAX) continue;
    characters += text.length;
    sources.push({ path, text });
  }
  return sources;
}
