import type { CheckoutLimits } from "../limits.ts";
import { readText } from "./read-text.ts";
import type { ProjectFile } from "./walk-files.ts";

/** One line in which one of the terms stands. */
export interface SearchHit {
  readonly term: string;
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

export interface TextSearch {
  readonly root: string;
  readonly files: readonly ProjectFile[];
  /** Looked for as they are, verbatim. */
  readonly terms: readonly string[];
  readonly limits: CheckoutLimits;
  readonly signal: AbortSignal;
}

const TEXT_LENGTH_MAX = 200;

/**
 * Looks for terms in the text files of a checkout. No term takes all places for itself: each has an even share.
 *
 * @returns `isCut` when a bound ended the search before all was read or told.
 */
export async function searchText(search: TextSearch): Promise<{ hits: SearchHit[]; isCut: boolean }> {
  const { root, files, limits, signal } = search;
  const terms = search.terms.filter((term) => term.trim().length > 1);
  const share = Math.max(1, Math.floor(limits.hitsMax / Math.max(1, terms.length)));
  const counts = new Map<string, number>();
  const hits: SearchHit[] = [];
  let bytes = 0;
  let isCut = false;
  for (const { path, bytes: size } of files) {
    signal.throwIfAborted();
    if (bytes + size > limits.searchBytesMax) {
      isCut = true;
      break;
    }
    const text = await readText({ root, path, bytesMax: limits.fileBytesMax });
    if (text === null) continue;
    bytes += size;
    for (const hit of findInText({ text, path, terms })) {
      const count = counts.get(hit.term) ?? 0;
      counts.set(hit.term, count + 1);
      if (count < share) hits.push(hit);
      else isCut = true;
    }
  }
  return { hits, isCut };
}

function findInText({
  text,
  path,
  terms,
}: {
  text: string;
  path: string;
  terms: readonly string[];
}): SearchHit[] {
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
