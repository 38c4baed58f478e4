import { z } from "zod";
import { tool, ToolProblemError } from "#shared/runtime/tools";
import type { Tool } from "#shared/runtime/tools";
import { heldBack, passage } from "../contract-fields.ts";
import { FURTHER_HITS_MAX, FURTHER_SEARCHES_MAX } from "../limits.ts";
import type { HeldBack, Library, Passage, Search } from "../outside/library.ts";
import { termsOf } from "../reading/words.ts";
import { SOURCE_LABEL } from "../research/look-up.ts";

/** A tool over a library, and what it gave. */
export interface LibraryTools {
  readonly tools: readonly Tool[];
  /** Passages that may be cited: those shown at first, and those that were found since. */
  readonly read: () => readonly Passage[];
  readonly heldBack: () => readonly HeldBack[];
}

/**
 * Returns a tool with which a model searches the configured library further. It takes words: no path, no address. What
 * was searched is not searched again.
 */
export function libraryTools(library: Library, first: Search & { readonly searched: string }): LibraryTools {
  const read = new Map(first.passages.map((one) => [one.passage_id, one]));
  const held = new Map(first.held_back.map((one) => [one.source_id, one]));
  const queries = new Set([keyOf(first.searched)]);
  const search = tool("search_library", {
    description: `Searches the library's passages by words. Gives ${FURTHER_HITS_MAX} at most. ${FURTHER_SEARCHES_MAX} searches at most.`,
    input: z.strictObject({ query: z.string().min(2).max(300) }),
    output: z.object({
      query: z.string(),
      passages: z.array(passage).max(FURTHER_HITS_MAX),
      held_back: heldBack,
    }),
    effect: "none",
    taint: SOURCE_LABEL,
    call: async ({ query }, { signal }) => {
      if (queries.has(keyOf(query))) throw new ToolProblemError("These words were searched for already.");
      if (queries.size > FURTHER_SEARCHES_MAX) throw new ToolProblemError("No further search is allowed.");
      return { query, ...(await library.search({ text: query, passagesMax: FURTHER_HITS_MAX }, signal)) };
    },
    // Of a re-run too, whose calls are on record.
    seen: ({ query, passages, held_back: more }) => {
      queries.add(keyOf(query));
      for (const one of passages) read.set(one.passage_id, one);
      for (const one of more) held.set(one.source_id, one);
    },
  });
  return { tools: [search], read: () => [...read.values()], heldBack: () => [...held.values()] };
}

function keyOf(query: string): string {
  return [...new Set(termsOf(query))].toSorted().join(" ");
}
