import createFetchClient from "openapi-fetch";
import createClient from "openapi-react-query";
import { MutationCache, QueryClient } from "@tanstack/react-query";
import type { paths } from "#shared/api/client";
import { shared } from "./shared.ts";

/** Address of the login. */
export const LOGIN = `${import.meta.env.BASE_URL}login`;

/** State of the session: "unknown" until the first answer. */
const session = shared<"unknown" | "open" | "ended">("unknown");
export const useSessionState = session.use;

/** Leads to the login without a session. With one that has ended, what was typed stays on the page. */
function noteSession(next: "open" | "ended"): void {
  if (location.pathname === LOGIN) return;
  if (next === "open" || session.get() !== "unknown") return session.set(next);
  location.assign(`${LOGIN}?${new URLSearchParams({ back: location.pathname + location.search })}`);
}

/** An answer that is a problem. `status` 0: there was no answer. */
export class Problem extends Error {
  readonly status: number;
  /** Places of what was sent, and what is wrong there. */
  readonly faults: readonly { readonly path: string; readonly message: string }[];

  constructor(status: number, said: { detail?: string; errors?: { pointer: string; message: string }[] }) {
    super(said.detail ?? `The console answered ${status}.`);
    this.status = status;
    this.faults = (said.errors ?? []).map(({ pointer, message }) => ({ path: pointer, message }));
  }
}

/** The operators' API. Rejects with a `Problem`. */
export const api = createFetchClient<paths>({ baseUrl: location.origin, credentials: "same-origin" });

api.use({
  async onResponse({ response }) {
    if (response.status === 401) noteSession("ended");
    else if (response.ok) noteSession("open");
    // RFC 9457, or a page of something between.
    if (!response.ok) throw new Problem(response.status, await response.json().catch(() => ({})));
  },
  onError: () =>
    new Problem(0, { detail: "The console does not answer. Nothing was changed that you do not see." }),
});

const TRIES_MAX = 2;
const ATTACHED_MS = 5000;
/** In the key of a query: a job of an attached queue, its group, or a list of them. */
const ATTACHED = /"bullmq:|"source":"./;

export const queries = new QueryClient({
  // After each act, and after a refusal, the page shows how things stand now.
  mutationCache: new MutationCache({ onSettled: () => void readAgain() }),
  defaultOptions: {
    queries: {
      // The stream says when something has changed, but for attached queues.
      staleTime: 60_000,
      refetchInterval: ({ queryKey }) => ATTACHED.test(JSON.stringify(queryKey)) && ATTACHED_MS,
      retry: (tries, error) => tries < TRIES_MAX && error instanceof Problem && error.status >= 500,
    },
  },
});

/** Hooks over the API by method and path: `$api.useQuery("get", "/v1/agents")`. */
export const $api = createClient(api);

/** Reads again what the page shows, but for what the stream tells by itself. */
export function readAgain(): Promise<void> {
  return queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] !== "/v1/overview" });
}

/** Returns the role of this session; a viewer's until it is known. */
export function useRole() {
  return $api.useQuery("get", "/v1/session").data?.role ?? "viewer";
}

/** The answer to reading an address of the API. */
export type Answer<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { "application/json": infer Given } } } };
}
  ? Given
  : never;

/** Items that are read at a time. */
export const LIMIT = 100;
/** Paging of a list that has numbered places. */
export const BY_OFFSET = {
  pageParamName: "offset",
  initialPageParam: 0,
  getNextPageParam: ({ total }: { readonly total: number }, { length }: readonly unknown[]) =>
    length * LIMIT < total ? length * LIMIT : undefined,
};
/** Paging of a list whose pages name the next one. */
export const BY_CURSOR = {
  pageParamName: "cursor",
  initialPageParam: null,
  getNextPageParam: (page: { readonly cursor?: string | null; readonly next_cursor?: string | null }) =>
    page.cursor ?? page.next_cursor,
};

export type Agent = Answer<"/v1/agents">["agents"][number];
export type Lane = Answer<"/v1/queues">["queues"][number];

/** The surgeon's own lane, as the API names it. */
export const SURGEON = "ward";

/** Agents and their lanes, kept current by the overview; a key of some teams may not see that, and asks for its own. */
export function useWorkforce() {
  const overview = $api.useQuery("get", "/v1/overview");
  const enabled = overview.error !== null;
  const agents = $api.useQuery("get", "/v1/agents", {}, { enabled });
  const queues = $api.useQuery("get", "/v1/queues", {}, { enabled });
  if (!enabled) return overview;
  const data = agents.data && queues.data && { ...agents.data, ...queues.data };
  return { data, error: agents.error ?? queues.error };
}
