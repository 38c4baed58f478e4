import { isRecord } from "#shared/json";
import { callTools } from "#shared/runtime/tools";
import type { StandInCalls, StandInTools } from "#shared/runtime/tools";
import { passage } from "../contract-fields.ts";
import type { Passage } from "../outside/library.ts";
import { foldText, termsOf } from "../reading/words.ts";

const OPENED_MAX = 3;
const WORDS_MAX = 4;

/**
 * Returns the passages that are known after a further search, or the calls with which it goes on: a search by the
 * longest words of what is asked, then the passages that it found.
 */
export function lookFurther(
  asked: string,
  passages: readonly Passage[],
  tools: StandInTools | undefined,
): Passage[] | StandInCalls {
  const { offered, results } = tools ?? { offered: [], results: [] };
  const opened = results.flatMap(({ outcome }) => passage.safeParse(outputOf(outcome)).data ?? []);
  const known = [...passages, ...opened];
  const query = longestWords(asked);
  if (results.length === 0 && offered.includes("search_library") && query !== "")
    return callTools({ tool: "search_library", arguments: { query } });
  const ids = results.flatMap(({ outcome }) => idsOf(outputOf(outcome)));
  const unread = ids.filter((id) => known.every(({ passage_id: own }) => own !== id));
  if (results.length === 1 && offered.includes("open_passage") && unread.length > 0)
    return callTools(
      ...unread.slice(0, OPENED_MAX).map((id) => ({ tool: "open_passage", arguments: { passage_id: id } })),
    );
  return known;
}

function longestWords(asked: string): string {
  const words = foldText(asked)
    .split(" ")
    .filter((word) => termsOf(word).length > 0 && !/\d/.test(word));
  return [...new Set(words)]
    .toSorted((a, b) => b.length - a.length)
    .slice(0, WORDS_MAX)
    .join(" ");
}

function outputOf(outcome: unknown): unknown {
  return isRecord(outcome) ? outcome["output"] : undefined;
}

function idsOf(output: unknown): string[] {
  if (!isRecord(output) || !Array.isArray(output["hits"])) return [];
  return output["hits"].flatMap((hit: unknown) =>
    isRecord(hit) && typeof hit["passage_id"] === "string" ? [hit["passage_id"]] : [],
  );
}
