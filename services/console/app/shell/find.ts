import { useQuery } from "@tanstack/react-query";
import { api } from "../data/api.ts";
import { words } from "../parts/amounts.ts";

const TYPED_MS = 200;
const CHARS_MIN = 3;
const CASES_MAX = 5;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

const PLACES = { run: "runs/", case: "inbox/case/", recipe: "recipes/", group: "inbox/group/" } as const;
type Kind = keyof typeof PLACES;

/** Returns what a pasted text may be the id of, by its form. */
export function kindsOf(text: string): readonly Kind[] {
  if (UUID.test(text)) return ["run", "case", "recipe"];
  if (text.startsWith("bullmq:")) return ["group", "case"];
  return /^[\w.-]+\/[\w.*@-]+\/.+$/.test(text) ? ["group"] : [];
}

/** By kind of id: asks how that one stands. Rejects where there is none. */
const ASK: Readonly<Record<Kind, (id: string) => Promise<string | undefined>>> = {
  run: async (id) => (await api.GET("/v1/runs/{run_id}", { params: { path: { run_id: id } } })).data?.status,
  case: async (id) =>
    (await api.GET("/v1/ward/cases/{case_id}", { params: { path: { case_id: id } } })).data?.case.status,
  recipe: async (id) =>
    (await api.GET("/v1/recipes/{recipe_id}", { params: { path: { recipe_id: id } } })).data?.state,
  group: async (id) =>
    (await api.GET("/v1/ward/groups/{fingerprint}", { params: { path: { fingerprint: id } } })).data
      ?.attention,
};

/** Something that was found, and its address below the base. */
const foundAs = (kind: Kind, id: string, name: string, state = "") => ({
  name: `${kind} ${name}, ${words(state)}`,
  to: PLACES[kind] + encodeURIComponent(id),
});

/** Asks for a text as each kind of id that it may be, and finds cases that mention it. */
async function find(text: string) {
  const byId = kindsOf(text).map(async (kind) => [foundAs(kind, text, text, await ASK[kind](text))]);
  const ofCases = api.GET("/v1/ward/cases", { params: { query: { text, limit: CASES_MAX } } });
  const byText = ofCases.then(({ data: { cases } = { cases: [] } }) =>
    cases.map(({ case_id: id, agent, status }) => foundAs("case", id, `${id.slice(-8)} of ${agent}`, status)),
  );
  const answers = await Promise.allSettled([...byId, byText]);
  const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  return [...new Map(found.map((one) => [one.to, one])).values()];
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
