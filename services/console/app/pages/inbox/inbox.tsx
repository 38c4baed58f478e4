import { keepPreviousData } from "@tanstack/react-query";
import { Link, Outlet, useParams } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { visible } from "#shared/json";
import { $api, BY_CURSOR, BY_OFFSET, LIMIT, useRole } from "../../data/api.ts";
import type { Answer } from "../../data/api.ts";
import { useCommands } from "../../parts/commands.ts";
import { Choice, SearchBox, useAsked } from "../../parts/filters.tsx";
import { addressOf, GroupName, isAttached, shortId, Unsealed } from "../../parts/links.tsx";
import { Badge, Button, Empty, Failed, Status, useTitle, When } from "../../parts/page.tsx";
import { Trend } from "../../parts/table.tsx";
import { counted, whole, words } from "../../parts/text.ts";
import { SavedViews } from "../../parts/views.tsx";
import styles from "./inbox.module.css";

/** Groups and cases at the left, what is chosen of them at the right; on a phone one of the two. */
export function Inbox() {
  const { fingerprint, caseId } = useParams({ strict: false });
  const isChosen = fingerprint !== undefined || caseId !== undefined;
  return (
    <div className={styles.inbox} data-chosen={isChosen}>
      {!isChosen && <h1 className={styles.unseen}>Inbox</h1>}
      <List />
      <div className={styles.detail}>
        <Outlet />
      </div>
    </div>
  );
}

/** The right half before anything is chosen. */
export function Hint() {
  useTitle("Inbox");
  const { data } = $api.useQuery("get", "/v1/overview");
  return (
    <Empty title={data?.ward.quarantined === 0 ? "No case waits for a person." : "Choose a group or a case."}>
      <kbd>j</kbd> and <kbd>k</kbd> walk the list; <kbd>?</kbd> shows the keys.
    </Empty>
  );
}

/** The list of groups and cases, filtered by the address. `j` and `k` walk through it, and the focus goes with them. */
function List() {
  const { rows, lists, groups, cases, hasGroups, hasCases } = useRows();
  const box = useRef<HTMLDivElement>(null);
  const [{ text = "", ...asked }] = useAsked();
  const isFiltered = [text, ...Object.values(asked)].some(Boolean);
  // A search stops after each page, and goes on by its button.
  const more = hasGroups ? groups : text === "" ? cases : null;
  const readOn = (): void => {
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = box.current ?? {};
    const isNearEnd = scrollHeight - scrollTop < 2 * clientHeight;
    if (isNearEnd && more?.hasNextPage === true && !more.isFetching && more.error === null)
      void more.fetchNextPage();
  };
  useEffect(readOn);
  const walk = (step: 1 | -1): void => {
    const links = [...(box.current?.querySelectorAll("a") ?? [])];
    const now = links.findIndex((link) => link.ariaCurrent !== null);
    const next = now === -1 ? links[0] : (links[now + step] ?? links[now]);
    next?.focus();
    next?.click();
  };
  useCommands([
    { name: "Next of the list", key: "j", run: () => walk(1) },
    { name: "Previous of the list", key: "k", run: () => walk(-1) },
  ]);
  const failed = lists.find(({ error }) => error !== null);
  const searched = cases.data?.pages.reduce((sum, page) => sum + page.searched, 0) ?? 0;
  const total = cases.data?.pages[0]?.total ?? 0;
  const isReading = lists.some(({ isPending }) => isPending);
  return (
    <section className={styles.list} aria-label="Groups and cases">
      <Filters hasGroups={hasGroups} hasCases={hasCases} />
      {failed && <Failed error={failed.error} />}
      <div ref={box} className={styles.rows} aria-busy={isReading} onScroll={readOn}>
        <ul>
          {rows.map((row) => (
            <li key={idOf(row)}>
              <ListRow of={row} />
            </li>
          ))}
        </ul>
        {rows.length === 0 && !isReading && !failed && (
          <Empty title={isFiltered ? "Nothing meets these filters." : "Nothing has failed."}>
            {isFiltered ? "Take one of them away." : "When a message fails, its group is here."}
            {groups.data?.pages[0]?.is_cut === true &&
              " Older groups were not looked at: search for their cases."}
          </Empty>
        )}
        {hasCases && text !== "" && cases.hasNextPage && (
          <p className={styles.searched} role="status">
            Searched {whole(searched)} of {counted(total, "case")}, the newest first.
            <Button disabled={cases.isFetching} onClick={() => void cases.fetchNextPage()}>
              Search on
            </Button>
          </p>
        )}
      </div>
    </section>
  );
}

const ATTENTIONS = ["regressed", "failing_again", "waiting", "looked_after", "in_treatment", "quiet"];
const SORTS = ["last_seen", "first_seen", "open", "count", "replays", "cost"];
const GROUP_CHOICES = [
  { name: "attention", label: "Needs", options: ATTENTIONS },
  { name: "lifecycle", label: "Called", options: ["open", "acknowledged", "resolved", "regressed"] },
  { name: "sort", label: "First", none: "need", options: SORTS },
];
const STATUSES = ["quarantined", "admitted", "in_surgery", "discharged", "released", "discarded"];

/** The filters of the list. */
function Filters({ hasGroups, hasCases }: { readonly hasGroups: boolean; readonly hasCases: boolean }) {
  const [{ fingerprint = "", source = "" }, ask] = useAsked();
  // A key of some teams sees no queue.
  const { data } = $api.useQuery("get", "/v1/ward/sources", {}, { retry: false });
  const params = { path: { fingerprint } };
  const group = $api.useQuery("get", "/v1/ward/groups/{fingerprint}", { params }, { enabled: !hasGroups });
  const sources = data?.sources.map((one) => one.source) ?? [];
  const problem = data?.sources.find((one) => one.source === source)?.problem ?? null;
  return (
    <div className={styles.filters} role="search">
      {!hasGroups && (
        <p className={styles.within}>
          <span>
            Cases of <GroupName of={group.data ?? { fingerprint }} />
          </span>
          <Button onClick={() => ask({ fingerprint: undefined, status: undefined })}>All groups</Button>
        </p>
      )}
      <SearchBox label="Find groups and cases" />
      <div className={styles.choices}>
        {hasGroups && sources.length > 0 && (
          <Choice name="source" label="Of" none="this ward" options={sources} />
        )}
        {hasGroups && source === "" && GROUP_CHOICES.map((one) => <Choice key={one.name} {...one} />)}
        {hasCases && <Choice name="status" label="Status" options={STATUSES} />}
      </div>
      <SavedViews of="inbox" />
      {problem !== null && <p className={styles.bad}>{problem}</p>}
    </div>
  );
}

type Group = Answer<"/v1/ward/groups">["groups"][number];
type Listed = Answer<"/v1/ward/cases">["cases"][number];
/** A line of the list. */
type Row = Group | Listed;

const HOURS_SHOWN = 24;

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
    { enabled: hasGroups, ...BY_OFFSET, placeholderData: keepPreviousData },
  );
  const cases = $api.useInfiniteQuery(
    "get",
    "/v1/ward/cases",
    { params: { query: { ...casesQuery, limit: LIMIT } } },
    {
      enabled: hasCases,
      ...BY_CURSOR,
      // A typed text narrows the list; another group's cases are not this one's.
      ...(hasGroups ? { placeholderData: keepPreviousData } : {}),
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
function ListRow({ of }: { readonly of: Row }) {
  const role = useRole();
  const address = "case_id" in of ? addressOf.case(of.case_id) : addressOf.group(of.fingerprint);
  const inside = "case_id" in of ? <CaseWords of={of} /> : <GroupWords of={of} />;
  // Of an attached queue viewers see groups alone, and jobs beyond its bound of groups have no page.
  if (isAttached(of.fingerprint) && (role === "viewer" || of.fingerprint.endsWith(":rest")))
    return <div className={styles.row}>{inside}</div>;
  return (
    <Link className={styles.row} {...address} search activeOptions={{ includeSearch: false }}>
      {inside}
    </Link>
  );
}

function GroupWords({ of }: { readonly of: Group }) {
  const { open, quarantined, trend } = of;
  const waits = `${whole(quarantined)} of ${counted(open, "waits", "wait")}`;
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
        <Status of={of.proposal === null ? of.status : "proposed"} />{" "}
        {of.messages > 1 && <Badge tone="bad">came back</Badge>} <code>{shortId(of.case_id)}</code>{" "}
        <When at={of.updated_ms} />
      </span>
    </>
  );
}
