import { z } from "zod";
import { tool, ToolProblemError } from "#shared/runtime/tools";
import type { Tool } from "#shared/runtime/tools";
import { heldBack, passage } from "../contract-fields.ts";
import { FURTHER_PASSAGES_MAX, FURTHER_SEARCHES_MAX } from "../limits.ts";
import type { HeldBack, Library, Passage } from "../outside/library.ts";
import { shorten } from "../reading/text.ts";
import { termsOf } from "../reading/words.ts";
import { SOURCE_LABEL } from "../research/look-up.ts";

/** Characters of a passage that a search shows. */
const EXCERPT_CHARACTERS_MAX = 240;
const HITS_MAX = 5;

const hit = passage.omit({ text: true }).extend({ excerpt: z.string().max(EXCERPT_CHARACTERS_MAX) });
const hitList = z.object({ query: z.string(), hits: z.array(hit).max(HITS_MAX), held_back: heldBack });

/** Tools over a library, and what they gave. */
export interface LibraryTools {
  readonly tools: readonly Tool[];
  /** Passages that may be cited: those shown at first, and those that were opened. */
  readonly read: () => readonly Passage[];
  readonly heldBack: () => readonly HeldBack[];
}

interface AlreadyRead {
  readonly library: Library;
  readonly searched: string;
  readonly passages: readonly Passage[];
  readonly held_back: readonly HeldBack[];
}

/**
 * Returns tools with which a model searches the configured library further and opens passages of it. They take words
 * and the id of a passage that a search gave: no path, no address. What was searched is not searched again.
 */
export function libraryTools({ library, searched, passages, held_back }: AlreadyRead): LibraryTools {
  const read = new Map(passages.map((one) => [one.passage_id, one]));
  const held = new Map(held_back.map((one) => [one.source_id, one]));
  const queries = new Set([keyOf(searched)]);
  /** The query by which a passage was found; from the record, where a re-run goes on. */
  const known = new Map<string, string>();
  /** What this very delivery found, so that opening it is no search. */
  const found = new Map<string, Passage>();
  const search = tool("search_library", {
    description: `Searches the library's passages by words. Gives ${HITS_MAX} beginnings at most. ${FURTHER_SEARCHES_MAX} searches at most.`,
    input: z.strictObject({ query: z.string().min(2).max(300) }),
    output: hitList,
    effect: "none",
    taint: SOURCE_LABEL,
    call: async ({ query }, { signal }) => {
      if (queries.has(keyOf(query))) throw new ToolProblemError("These words were searched for already.");
      if (queries.size > FURTHER_SEARCHES_MAX) throw new ToolProblemError("No further search is allowed.");
      const result = await library.search({ text: query, passagesMax: HITS_MAX }, signal);
      for (const one of result.passages) found.set(one.passage_id, one);
      const hits = result.passages.map(({ text, ...rest }) => ({
        ...rest,
        excerpt: shorten(text, EXCERPT_CHARACTERS_MAX),
      }));
      return { query, hits, held_back: result.held_back };
    },
    seen: ({ query, hits, held_back: more }) => {
      queries.add(keyOf(query));
      for (const { passage_id: id } of hits) if (!known.has(id)) known.set(id, query);
      for (const one of more) held.set(one.source_id, one);
    },
  });
  const open = tool("open_passage", {
    description: `Gives the whole of a passage that a search found. ${FURTHER_PASSAGES_MAX} passages at most.`,
    input: z.strictObject({ passage_id: z.string().min(1).max(200) }),
    output: passage,
    effect: "none",
    taint: SOURCE_LABEL,
    call: async ({ passage_id: id }, { signal }) => {
      const shown = read.get(id);
      if (shown !== undefined) return shown;
      const query = known.get(id);
      if (query === undefined) throw new ToolProblemError("No search of this step found such a passage.");
      if (read.size >= passages.length + FURTHER_PASSAGES_MAX)
        throw new ToolProblemError("No further passage may be opened.");
      const again = found.has(id)
        ? []
        : (await library.search({ text: query, passagesMax: HITS_MAX }, signal)).passages;
      const opened = found.get(id) ?? again.find((one) => one.passage_id === id);
      if (opened === undefined) throw new ToolProblemError("The passage is no longer there.");
      return opened;
    },
    seen: (opened) => void read.set(opened.passage_id, opened),
  });
  return { tools: [search, open], read: () => [...read.values()], heldBack: () => [...held.values()] };
}

function keyOf(query: string): string {
  return [...new Set(termsOf(query))].toSorted().join(" ");
}
