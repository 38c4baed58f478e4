import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { $api, api } from "../../data/api.ts";
import { useAsked } from "../../parts/filters.tsx";
import { isAttached } from "../../parts/group-name.tsx";
import type { paths } from "#shared/api/client";

export type Group =
  paths["/v1/ward/groups"]["get"]["responses"][200]["content"]["application/json"]["groups"][number];
export type Listed =
  paths["/v1/ward/cases"]["get"]["responses"][200]["content"]["application/json"]["cases"][number];
type GroupsQuery = NonNullable<paths["/v1/ward/groups"]["get"]["parameters"]["query"]>;
type CasesQuery = NonNullable<paths["/v1/ward/cases"]["get"]["parameters"]["query"]>;

/** A line of the list. */
export type Row =
  | { readonly kind: "title"; readonly id: string; readonly text: string }
  | { readonly kind: "group"; readonly id: string; readonly group: Group }
  | { readonly kind: "case"; readonly id: string; readonly one: Listed };

const LIMIT = 100;
const NO_CASES = { cases: [], cursor: null, searched: 0, total: 0 };
/** News of the ward says nothing of an attached queue, in ms. */
export const ATTACHED_MS = 5000;

/** All cases that meet a filter, page after page. */
export function useCases(filter: CasesQuery, isOn = true) {
  const query = useInfiniteQuery({
    queryKey: ["get", "/v1/ward/cases", filter],
    queryFn: async ({ pageParam, signal }) => {
      const asked = { ...filter, limit: LIMIT, ...(pageParam === null ? {} : { cursor: pageParam }) };
      const { data } = await api.GET("/v1/ward/cases", { params: { query: asked }, signal });
      return data ?? NO_CASES;
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
    enabled: isOn,
    // What is typed narrows what is shown; another group's cases are not this one's.
    ...(filter.fingerprint === undefined ? { placeholderData: keepPreviousData } : {}),
    refetchInterval: filter.fingerprint !== undefined && isAttached(filter.fingerprint) ? ATTACHED_MS : false,
  });
  return { ...query, cases: isOn ? (query.data?.pages.flatMap(({ cases }) => cases) ?? []) : [] };
}

/** All groups that meet a filter, page after page. */
function useGroups(filter: GroupsQuery, isOn: boolean) {
  const query = $api.useInfiniteQuery(
    "get",
    "/v1/ward/groups",
    { params: { query: { ...filter, limit: LIMIT } } },
    {
      enabled: isOn,
      pageParamName: "offset",
      initialPageParam: 0,
      getNextPageParam: ({ groups, total }, _pages, offset) =>
        Number(offset) + groups.length < total && groups.length > 0
          ? Number(offset) + groups.length
          : undefined,
      placeholderData: keepPreviousData,
      refetchInterval: filter.source === undefined ? false : ATTACHED_MS,
    },
  );
  return { ...query, groups: isOn ? (query.data?.pages.flatMap(({ groups }) => groups) ?? []) : [] };
}

/** Members that are asked for. */
function given(asked: Readonly<Record<string, string | undefined>>, names: readonly string[]) {
  return Object.fromEntries(
    names.map((name) => [name, asked[name] ?? ""]).filter(([, value]) => value !== ""),
  );
}

/** What the address asks to be listed: groups; with a text cases too; with a group its cases alone. */
export function useRows() {
  const [asked] = useAsked();
  const { text = "", fingerprint = "" } = asked;
  const hasGroups = fingerprint === "";
  const hasCases = !hasGroups || (text !== "" && (asked["source"] ?? "") === "");
  const groups = useGroups(
    // The API refuses a value of the address that is none of its own, and the list says so.
    { sort: "need", ...given(asked, ["source", "attention", "lifecycle", "text", "sort"]) } as GroupsQuery,
    hasGroups,
  );
  // As above.
  const cases = useCases(given(asked, ["status", "fingerprint", "text"]) as CasesQuery, hasCases);
  const title = (name: string): Row => ({ kind: "title", id: name, text: name });
  const rows: readonly Row[] = [
    ...(text !== "" && groups.groups.length > 0 ? [title("Groups")] : []),
    ...groups.groups.map((group): Row => ({ kind: "group", id: group.fingerprint, group })),
    ...(hasGroups && cases.cases.length > 0 ? [title("Cases")] : []),
    ...cases.cases.map((one): Row => ({ kind: "case", id: one.case_id, one })),
  ];
  return { rows, groups, cases, hasGroups, hasCases };
}
