import { Outlet, useParams } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { $api } from "../../data/api.ts";
import { useCommands } from "../../parts/commands.ts";
import { Choice, SearchBox, useAsked } from "../../parts/filters.tsx";
import { GroupName } from "../../parts/links.tsx";
import { Button, Empty, Failed, useTitle } from "../../parts/page.tsx";
import { counted } from "../../parts/text.ts";
import { idOf, ListRow, useRows } from "./rows.tsx";
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

/** What stands at the right before anything is chosen. */
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
            Searched {searched.toLocaleString("en")} of {counted(total, "case")}, the newest first.
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
      <SearchBox name="text" label="Find groups and cases" />
      <div className={styles.choices}>
        {hasGroups && sources.length > 0 && (
          <Choice name="source" label="Of" none="this ward" options={sources} />
        )}
        {hasGroups && source === "" && GROUP_CHOICES.map((one) => <Choice key={one.name} {...one} />)}
        {hasCases && <Choice name="status" label="Status" options={STATUSES} />}
      </div>
      {problem !== null && <p className={styles.bad}>{problem}</p>}
    </div>
  );
}
