import { useNavigate, useParams } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { counted } from "../../parts/amounts.ts";
import { Button } from "../../parts/button.tsx";
import { useAsked } from "../../parts/filters.tsx";
import { useKeys } from "../../parts/keys.ts";
import { Empty, Failed } from "../../parts/states.tsx";
import { Filters } from "./list-filters.tsx";
import { ListRow } from "./list-row.tsx";
import { useRows } from "./rows.ts";
import type { Row } from "./rows.ts";
import styles from "./inbox.module.css";

const HEIGHTS = { title: 30, group: 62, case: 58 } as const;

/** The list of groups and cases, filtered by the address. `j` and `k` walk through it, and the focus goes with them. */
export function List() {
  const { rows, groups, cases, hasGroups, hasCases } = useRows();
  const box = useRef<HTMLDivElement>(null);
  const lines = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => HEIGHTS[rows[index]?.kind ?? "title"],
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 8,
  });
  useWalk(rows, (index) => lines.scrollToIndex(index));
  const shown = lines.getVirtualItems();
  const isAtEnd = (shown.at(-1)?.index ?? 0) >= rows.length - 1;
  const [{ text = "" }] = useAsked();
  // A search stops after each page, and goes on by its button.
  const isEndless = !hasGroups && text === "";
  const more = hasGroups && groups.hasNextPage ? groups : isEndless && cases.hasNextPage ? cases : null;
  useEffect(() => {
    if (isAtEnd && more !== null && !more.isFetching && more.error === null) void more.fetchNextPage();
  });
  const error = (hasGroups && groups.error) || (hasCases && cases.error);
  const isReading = (hasGroups && groups.isPending) || (hasCases && cases.isPending);
  return (
    <section className={styles.list} aria-label="Groups and cases">
      <Filters hasGroups={hasGroups} hasCases={hasCases} />
      {Boolean(error) && <Failed error={error} onRetry={() => void (hasGroups ? groups : cases).refetch()} />}
      <div ref={box} className={styles.rows} aria-busy={isReading}>
        <ul style={{ height: lines.getTotalSize() }}>
          {shown.map(({ index, key, start, size }) => {
            const row = rows[index];
            return (
              row !== undefined && (
                <li key={key} style={{ transform: `translateY(${start}px)`, height: size }}>
                  <ListRow row={row} />
                </li>
              )
            );
          })}
        </ul>
        {rows.length === 0 && !isReading && !error && (
          <Nothing isCut={groups.data?.pages[0]?.is_cut === true} />
        )}
        {hasCases && <Searched cases={cases} />}
      </div>
    </section>
  );
}

/** How far a search came, and the way on. */
function Searched({ cases }: { readonly cases: ReturnType<typeof useRows>["cases"] }) {
  const [{ text = "" }] = useAsked();
  const searched = cases.data?.pages.reduce((sum, page) => sum + page.searched, 0) ?? 0;
  const total = cases.data?.pages.at(-1)?.total ?? 0;
  if (text === "" || !cases.hasNextPage) return null;
  return (
    <p className={styles.searched} role="status">
      Searched {searched.toLocaleString("en")} of {counted(total, "case")}, the newest first.
      <Button disabled={cases.isFetching} onClick={() => void cases.fetchNextPage()}>
        Search on
      </Button>
    </p>
  );
}

function Nothing({ isCut }: { readonly isCut: boolean }) {
  const [asked, ask] = useAsked();
  const filters = ["text", "attention", "lifecycle", "status"].filter((name) => (asked[name] ?? "") !== "");
  if (filters.length === 0 && (asked["fingerprint"] ?? "") === "")
    return <Empty title="Nothing has failed.">When a message fails, its group is here.</Empty>;
  return (
    <Empty title="Nothing meets these filters.">
      {isCut && <p>Older groups were not looked at: search for their cases.</p>}
      {filters.length > 0 && (
        <Button onClick={() => ask(Object.fromEntries(filters.map((name) => [name, undefined])))}>
          Take the filters away
        </Button>
      )}
    </Empty>
  );
}

/** The keys that go to the next and the previous line. */
function useWalk(rows: readonly Row[], show: (index: number) => void): void {
  const navigate = useNavigate();
  const { fingerprint, caseId } = useParams({ strict: false });
  const walk = (step: 1 | -1): void => {
    const places = rows.flatMap(({ kind }, index) => (kind === "title" ? [] : [index]));
    const now = places.findIndex((index) => rows[index]?.id === (caseId ?? fingerprint));
    const index = places[now === -1 ? 0 : Math.min(places.length - 1, Math.max(0, now + step))];
    const row = index === undefined ? undefined : rows[index];
    if (index === undefined || row === undefined) return;
    show(index);
    if (row.kind === "group")
      void navigate({ to: "/inbox/group/$fingerprint", params: { fingerprint: row.id }, search: true });
    else void navigate({ to: "/inbox/case/$caseId", params: { caseId: row.id }, search: true });
    // A line that was out of sight is drawn with the next frame.
    requestAnimationFrame(() => document.getElementById(`row ${row.id}`)?.focus());
  };
  useKeys({ j: () => walk(1), k: () => walk(-1) });
}
