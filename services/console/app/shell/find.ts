import { useQuery } from "@tanstack/react-query";
import { api } from "../data/api.ts";
import { words } from "../parts/amounts.ts";

const TYPED_MS = 200;
const CHARS_MIN = 3;
const FOUND_MAX = 8;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

const PLACES = { run: "runs/", case: "inbox/case/", recipe: "recipes/", group: "inbox/group/" } as const;
type Kind = keyof typeof PLACES;

/** Something that was found, and its address below the base. */
const foundAs = (kind: Kind, id: string, name: string, state = "") => ({
  name: `${kind} ${name}, ${words(state)}`,
  to: PLACES[kind] + encodeURIComponent(id),
});

/** Returns the recipe, the group or the job that a pasted text is the id of, if it looks like one. */
async function findNamed(text: string) {
  if (UUID.test(text)) {
    const { data } = await api.GET("/v1/recipes/{recipe_id}", { params: { path: { recipe_id: text } } });
    return foundAs("recipe", text, text, data?.state);
  }
  if (!/^(?:bullmq:.+|[\w.-]+\/[\w.*@-]+\/.+)$/.test(text)) throw new Error("looks like no id");
  const path = { fingerprint: text };
  const { data } = await api.GET("/v1/ward/groups/{fingerprint}", { params: { path } });
  return foundAs("group", text, text, data?.attention);
}

/** Returns the runs and cases that hold these words, and what else has this id. */
async function find(text: string) {
  const { data } = await api.GET("/v1/search", { params: { query: { text, limit: FOUND_MAX } } });
  const found = (data?.found ?? []).map(({ kind, id, team, status }) =>
    foundAs(kind, id, `${id.slice(-8)} of ${team}`, status),
  );
  if (found.length > 0) return found;
  // Rejects where nothing is named so.
  return findNamed(text).then(
    (named) => [named],
    () => [],
  );
}

/** What a typed or pasted text leads to. `isAsking`: there may be more. */
export function useFound(text: string) {
  const { data: found = [], isFetching: isAsking } = useQuery({
    queryKey: ["find", text],
    queryFn: async ({ signal }) => {
      // Nothing is asked for a text that somebody goes on typing.
      await new Promise((resolve) => setTimeout(resolve, TYPED_MS));
      return signal.aborted ? [] : find(text);
    },
    enabled: text.length >= CHARS_MIN,
  });
  return { found, isAsking };
}
