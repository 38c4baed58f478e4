import sources from "./sources.json" with { type: "json" };

/**
 * Finds texts of `sources.json` that share words with a query, those that share most first. Two of them disagree, and
 * one gives orders to machines.
 */
export function searchSources(query: string, limit: number): typeof sources {
  const wanted = wordsOf(query);
  return sources
    .map((source) => ({
      source,
      shared: wanted.intersection(wordsOf(`${source.title} ${source.text}`)).size,
    }))
    .filter(({ shared }) => shared > 0)
    .toSorted((a, b) => b.shared - a.shared)
    .slice(0, limit)
    .map(({ source }) => source);
}

/** Words of four letters and more. */
function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/\p{L}{4,}/gu) ?? []);
}
