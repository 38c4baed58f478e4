import { Link } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState } from "react";
import { counted, money } from "../../parts/amounts.ts";
import { Badge, Status } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { shortId } from "../../parts/group-name.tsx";
import { Failed } from "../../parts/states.tsx";
import { visible } from "../../parts/visible.ts";
import { When } from "../../parts/when.tsx";
import { STATUSES } from "./list-filters.tsx";
import { useCases } from "./rows.ts";
import type { Listed } from "./rows.ts";
import parts from "../../parts/parts.module.css";
import styles from "./inbox.module.css";

const ROW_PX = 34;

/** All cases of a group, as many as are scrolled to. */
export function GroupCases({ fingerprint }: { readonly fingerprint: string }) {
  const [status, setStatus] = useState("");
  const wanted = STATUSES.find((one) => one === status);
  const list = useCases({ fingerprint, ...(wanted === undefined ? {} : { status: wanted }) });
  const { cases, hasNextPage, isFetching, fetchNextPage } = list;
  const box = useRef<HTMLDivElement>(null);
  const lines = useVirtualizer({
    count: cases.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
  });
  const shown = lines.getVirtualItems();
  const isAtEnd = (shown.at(-1)?.index ?? 0) >= cases.length - 1;
  useEffect(() => {
    if (cases.length > 0 && isAtEnd && hasNextPage && !isFetching && list.error === null)
      void fetchNextPage();
  });
  const total = list.data?.pages[0]?.total ?? 0;
  if (list.error !== null) return <Failed error={list.error} onRetry={() => void list.refetch()} />;
  return (
    <>
      <label className={styles.status}>
        Status{" "}
        <select className={parts.input} value={status} onChange={({ target }) => setStatus(target.value)}>
          <option value="">any</option>
          {STATUSES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <div ref={box} className={styles.cases} tabIndex={0} role="region" aria-label="Cases of this group">
        <ul style={{ height: lines.getTotalSize() }}>
          {shown.map(({ index, start }) => {
            const one = cases[index];
            return one === undefined ? null : (
              <li key={one.case_id} style={{ transform: `translateY(${start}px)`, height: ROW_PX }}>
                <CaseLine one={one} />
              </li>
            );
          })}
        </ul>
        {cases.length === 0 && !isFetching && (
          <p className={styles.quiet}>
            {hasNextPage
              ? `None of this status among the newest of ${counted(total, "case")}.`
              : status === ""
                ? "Its cases are kept no more."
                : "No case of this status."}{" "}
            {hasNextPage && <Button onClick={() => void fetchNextPage()}>Look at older ones</Button>}
          </p>
        )}
      </div>
    </>
  );
}

function CaseLine({ one }: { readonly one: Listed }) {
  return (
    <Link
      className={styles.caseLine}
      to="/inbox/case/$caseId"
      params={{ caseId: one.case_id }}
      search={{ fingerprint: one.fingerprint }}
    >
      <code>{shortId(one.case_id)}</code>
      <Status of={one.status} />
      <span className={styles.name}>
        {one.messages > 1 && <Badge tone="bad">came back {one.messages - 1}×</Badge>}{" "}
        {visible(one.diagnosis ?? "")}
      </span>
      <span className={styles.amount}>{one.cost > 0 && money(one.cost)}</span>
      <span className={styles.amount}>
        <When at={one.admitted_ms} />
      </span>
    </Link>
  );
}
