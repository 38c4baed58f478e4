import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CHECKOUT_LIMITS } from "../limits.ts";
import type { ProjectFile } from "./walk-files.ts";
import { isHistory, isProjectPath } from "./project-path.ts";

/** Bytes looked at for a zero byte, which no text has. */
const PROBE_BYTES = 8192;

interface TextPlace {
  /** The checkout's real folder. */
  readonly root: string;
  readonly path: string;
  /** Default: `CHECKOUT_LIMITS`. */
  readonly bytesMax?: number;
}

/**
 * Reads a text file of a checkout.
 *
 * @returns null where there is no such plain file inside the checkout, or where it is larger than `bytesMax` or
 * binary.
 */
export async function readText(place: TextPlace): Promise<string | null> {
  const { root, path, bytesMax = CHECKOUT_LIMITS.fileBytesMax } = place;
  if (!isProjectPath(path) || isHistory(path)) return null;
  const file = join(root, path);
  try {
    // A link on the way would lead elsewhere; the root itself is real already.
    if ((await realpath(dirname(file))) !== dirname(file)) return null;
    await using handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stat = await handle.stat();
    if (!stat.isFile() || stat.size > bytesMax) return null;
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

/**
 * Looks for terms in the text files of a checkout. No term takes all places for itself: each has an even share.
 *
 * @returns `isCut` when a bound ended the search before all was read or told.
 */
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
