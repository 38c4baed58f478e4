import { keepPreviousData } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { $api } from "../../data/api.ts";
import type { Answer } from "../../data/api.ts";
import { useAsked } from "../../parts/filters.tsx";
import { addressOf, GroupName, isAttached, shortId, Unsealed } from "../../parts/links.tsx";
import { Badge, Status, When } from "../../parts/page.tsx";
import { Trend } from "../../parts/table.tsx";
import { counted, visible, words } from "../../parts/text.ts";
import styles from "./inbox.module.css";

type Group = Answer<"/v1/ward/groups">["groups"][number];
type Listed = Answer<"/v1/ward/cases">["cases"][number];
/** A line of the list. */
type Row = Group | Listed;

const HOURS_SHOWN = 24;
/** Items that are read at a time. */
export const LIMIT = 100;
/** Paging of a list that has numbered places. */
export const BY_OFFSET = {
  pageParamName: "offset",
  initialPageParam: 0,
  getNextPageParam: ({ total }: { readonly total: number }, { length }: readonly unknown[]) =>
    length * LIMIT < total ? length * LIMIT : undefined,
};
/** News of the ward says nothing of an attached queue, in ms. */
export const ATTACHED_MS = 5000;

/** The rows that the address asks for: groups; with a text cases too; with a group its cases alone. */
export function useRows() {
  const [asked] = useAsked();
  const { text = "", fingerprint = "", source = "" } = asked;
  const hasGroups = fingerprint === "";
  const hasCases = !hasGroups || (text !== "" && source === "");
  const given = (...names: readonly string[]) =>
    Object.fromEntries(Object.entries(asked).filter(([name, value]) => names.includes(name) && value));
  // The API refuses a value of the address that is none of its own, and the list says so.
  const groupsQuery = { sort: "need" as const, ...given("source", "attention", "lifecycle", "text", "sort") };
  const casesQuery = given("status", "fingerprint", "text");
  const groups = $api.useInfiniteQuery(
    "get",
    "/v1/ward/groups",
    { params: { query: { ...groupsQuery, limit: LIMIT } } },
    {
      enabled: hasGroups,
      ...BY_OFFSET,
      placeholderData: keepPreviousData,
      refetchInterval: source === "" ? false : ATTACHED_MS,
    },
  );
  const cases = $api.useInfiniteQuery(
    "get",
    "/v1/ward/cases",
    { params: { query: { ...casesQuery, limit: LIMIT } } },
    {
      enabled: hasCases,
      pageParamName: "cursor",
      initialPageParam: null,
      getNextPageParam: ({ cursor }) => cursor,
      // A typed text narrows the list; another group's cases are not this one's.
      ...(hasGroups ? { placeholderData: keepPreviousData } : {}),
      refetchInterval: isAttached(fingerprint) ? ATTACHED_MS : false,
    },
  );
  const listed = hasGroups ? groups.data?.pages.flatMap((page): readonly Row[] => page.groups) : [];
  const found = hasCases ? cases.data?.pages.flatMap((page): readonly Row[] => page.cases) : [];
  const rows = [...(listed ?? []), ...(found ?? [])];
  const lists = [...(hasGroups ? [groups] : []), ...(hasCases ? [cases] : [])];
  return { rows, lists, groups, cases, hasGroups, hasCases };
}

export const idOf = (row: Row): string => ("case_id" in row ? row.case_id : row.fingerprint);

/** One line of the list, which leads to what it names. */
export function ListRow({ of }: { readonly of: Row }) {
  const { data: session } = $api.useQuery("get", "/v1/session");
  const address = "case_id" in of ? addressOf.case(of.case_id) : addressOf.group(of.fingerprint);
  const inside = "case_id" in of ? <CaseWords of={of} /> : <GroupWords of={of} />;
  // Of an attached queue viewers see groups alone, and jobs beyond its bound of groups have no page.
  if (isAttached(of.fingerprint) && (session?.role === "viewer" || of.fingerprint.endsWith(":rest")))
    return <div className={styles.row}>{inside}</div>;
  return (
    <Link className={styles.row} {...address} search activeOptions={{ includeSearch: false }}>
      {inside}
    </Link>
  );
}

function GroupWords({ of }: { readonly of: Group }) {
  const { open, quarantined, trend } = of;
  const waits = `${quarantined.toLocaleString("en")} of ${counted(open, "waits", "wait")}`;
  return (
    <>
      <span className={styles.name}>
        <GroupName of={of} />
      </span>
      <span className={styles.about}>
        <Status of={of.attention} /> <Unsealed id={of.fingerprint} /> {waits}, <When at={of.last_seen_ms} />
      </span>
      {trend.length > 0 && (
        <Trend counts={trend.slice(-HOURS_SHOWN)} label={`${trend.at(-1) ?? 0} messages this hour`} />
      )}
    </>
  );
}

function CaseWords({ of }: { readonly of: Listed }) {
  return (
    <>
      <span className={styles.name}>
        <b>{of.agent}</b> {of.diagnosis === null ? words(of.failure_class) : visible(of.diagnosis)}
      </span>
      <span className={styles.about}>
        <Status of={of.status} /> {of.messages > 1 && <Badge tone="bad">came back</Badge>}{" "}
        <code>{shortId(of.case_id)}</code> <When at={of.updated_ms} />
      </span>
    </>
  );
}
