import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "../data/api.ts";
import { words } from "../parts/amounts.ts";

/** Something that was found, and its address below the base. */
export interface Found {
  readonly name: string;
  readonly to: string;
}

const TYPED_MS = 200;
const CHARS_MIN = 3;
const CASES_MAX = 5;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

type Kind = "run" | "case" | "recipe" | "group";

/** Returns what a pasted text may be the id of, by its form. */
export function kindsOf(text: string): readonly Kind[] {
  if (UUID.test(text)) return ["run", "case", "recipe"];
  if (text.startsWith("bullmq:")) return ["group", "case"];
  return /^[\w.-]+\/[\w.*@-]+\/.+$/.test(text) ? ["group"] : [];
}

const ASK: Readonly<Record<Kind, (id: string, signal: AbortSignal) => Promise<Found>>> = {
  run: async (id, signal) => {
    const { data } = await api.GET("/v1/runs/{run_id}", { params: { path: { run_id: id } }, signal });
    return { name: `Run ${id}, ${words(data?.status ?? "")}`, to: `runs/${id}` };
  },
  case: async (id, signal) => {
    const { data } = await api.GET("/v1/ward/cases/{case_id}", { params: { path: { case_id: id } }, signal });
    return {
      name: `Case ${id}, ${words(data?.case.status ?? "")}`,
      to: `inbox/case/${encodeURIComponent(id)}`,
    };
  },
  recipe: async (id, signal) => {
    const { data } = await api.GET("/v1/recipes/{recipe_id}", {
      params: { path: { recipe_id: id } },
      signal,
    });
    return { name: `Recipe ${id}, ${data?.state}`, to: `recipes/${id}` };
  },
  group: async (id, signal) => {
    const path = { fingerprint: id };
    const { data } = await api.GET("/v1/ward/groups/{fingerprint}", { params: { path }, signal });
    return {
      name: `Group ${id}, ${words(data?.attention ?? "")}`,
      to: `inbox/group/${encodeURIComponent(id)}`,
    };
  },
};

/** Asks for a text as each kind of id that it may be, and finds cases that mention it. */
async function find(text: string, signal: AbortSignal): Promise<readonly Found[]> {
  const byId = kindsOf(text).map((kind) => ASK[kind](text, signal));
  const query = { text, limit: CASES_MAX };
  const byText = api.GET("/v1/ward/cases", { params: { query }, signal }).then(({ data }) =>
    (data?.cases ?? []).map(({ case_id: id, agent, status }) => ({
      name: `Case ${id.slice(-8)} of ${agent}, ${words(status)}`,
      to: `inbox/case/${encodeURIComponent(id)}`,
    })),
  );
  const answers = await Promise.allSettled([...byId, byText]);
  const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  return found.filter(({ to }, index) => found.findIndex((one) => one.to === to) === index);
}

/** What a typed or pasted text leads to. `isAsking`: there may be more. */
export function useFound(typed: string): { readonly found: readonly Found[]; readonly isAsking: boolean } {
  const [text, setText] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setText(typed), TYPED_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const isLong = typed.length >= CHARS_MIN;
  const { data, isFetching } = useQuery({
    queryKey: ["find", text],
    queryFn: ({ signal }) => find(text, signal),
    enabled: isLong && text === typed,
  });
  return {
    found: isLong && text === typed ? (data ?? []) : [],
    isAsking: isLong && (text !== typed || isFetching),
  };
}
