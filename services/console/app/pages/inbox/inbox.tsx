import { Outlet, useNavigate, useParams } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { $api } from "../../data/api.ts";
import { useCommands } from "../../parts/commands.ts";
import { Choice, SearchBox, useAsked } from "../../parts/filters.tsx";
import { GroupName } from "../../parts/links.tsx";
import { Button, Empty, Failed, useTitle } from "../../parts/page.tsx";
import { counted } from "../../parts/text.ts";
import { idOf, linkOf, ListRow, useRows } from "./rows.tsx";
import type { Row } from "./rows.tsx";
import styles from "./inbox.module.css";

/** Groups and cases at the left, what is chosen of them at the right; on a phone one of the two. */
export function Inbox() {
  const { fingerprint, caseId } = useParams({ strict: false });
  const isChosen = fingerprint !== undefined || caseId !== undefined;
  return (
    <div className={styles.inbox} data-chosen={isChosen}>
      {!isChosen && <h1 className={styles.unseen}>Inbox</h1>}
      <List chosen={caseId ?? fingerprint} />
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
function List({ chosen }: { readonly chosen: string | undefined }) {
  const { rows, lists, groups, cases, hasGroups, hasCases } = useRows();
  const box = useRef<HTMLDivElement>(null);
  const lines = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => 60,
    getItemKey: (index) => (rows[index] === undefined ? index : idOf(rows[index])),
    overscan: 8,
  });
  useWalk(rows, chosen, (index) => lines.scrollToIndex(index));
  const shown = lines.getVirtualItems();
  const isAtEnd = (shown.at(-1)?.index ?? 0) >= rows.length - 1;
  const [{ text = "", ...asked }] = useAsked();
  const isFiltered = [text, ...Object.values(asked)].some(Boolean);
  // A search stops after each page, and goes on by its button.
  const more = hasGroups ? groups : text === "" ? cases : null;
  useEffect(() => {
    if (isAtEnd && more?.hasNextPage === true && !more.isFetching && more.error === null)
      void more.fetchNextPage();
  });
  const failed = lists.find(({ error }) => error !== null);
  const searched = cases.data?.pages.reduce((sum, page) => sum + page.searched, 0) ?? 0;
  const total = cases.data?.pages[0]?.total ?? 0;
  const isReading = lists.some(({ isPending }) => isPending);
  return (
    <section className={styles.list} aria-label="Groups and cases">
      <Filters hasGroups={hasGroups} hasCases={hasCases} />
      {failed && <Failed error={failed.error} />}
      <div ref={box} className={styles.rows} aria-busy={isReading}>
        <ul style={{ height: lines.getTotalSize() }}>
          {shown.map(({ index, key, start, size }) => (
            <li key={key} id={`row ${key}`} style={{ transform: `translateY(${start}px)`, height: size }}>
              {rows[index] && <ListRow of={rows[index]} />}
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

/** The keys that go to the next and the previous line. */
function useWalk(rows: readonly Row[], chosen: string | undefined, show: (index: number) => void): void {
  const navigate = useNavigate();
  const walk = (step: 1 | -1): void => {
    const now = rows.findIndex((row) => idOf(row) === chosen);
    const index = now === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, now + step));
    const row = rows[index];
    if (row === undefined) return;
    show(index);
    void navigate({ ...linkOf(row), search: true });
    // A line that was out of sight is drawn with the next frame.
    const link = `[id=${JSON.stringify(`row ${idOf(row)}`)}] a`;
    requestAnimationFrame(() => document.querySelector<HTMLElement>(link)?.focus());
  };
  useCommands([
    { name: "Next of the list", key: "j", run: () => walk(1) },
    { name: "Previous of the list", key: "k", run: () => walk(-1) },
  ]);
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
