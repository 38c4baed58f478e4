import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { $api } from "../../data/api.ts";
import { words } from "../../parts/amounts.ts";
import { Badge } from "../../parts/badge.tsx";
import type { Tone } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { shortId } from "../../parts/group-name.tsx";
import { Loaded } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import type { Column } from "../../parts/table.tsx";
import type { paths } from "#shared/api/client";
import styles from "./inbox.module.css";

const LIMIT = 50;
const RESULTS: Readonly<Record<string, readonly [string, Tone]>> = {
  not_yet: ["not yet its turn", "quiet"],
  left_alone: ["left alone: it would not pass", "quiet"],
  refused: ["refused: in no state for it", "warn"],
  under_way: ["under way", "accent"],
  went_on: ["went on", "good"],
  died_again: ["failed again", "bad"],
  ended: ["not sent on", "quiet"],
};

/** What became of each case of one piece of work, asked for when it is opened. */
export function ApplyCases({ batchId, isUndo }: { readonly batchId: string; readonly isUndo: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>What became of each case</summary>
      {isOpen && <Cases batchId={batchId} isUndo={isUndo} />}
    </details>
  );
}

type One =
  paths["/v1/ward/applies/{batch_id}/cases"]["get"]["responses"][200]["content"]["application/json"]["cases"][number];

function columnsOf(isUndo: boolean): readonly Column<One>[] {
  return [
    { name: "Case", cell: CaseLink },
    { name: "Now", cell: ({ status }) => (status === null ? "kept no more" : words(status)) },
    { name: "Result", cell: (one) => Result({ one, isUndo }) },
  ];
}

const [COLUMNS, UNDONE] = [columnsOf(false), columnsOf(true)];

function CaseLink({ case_id: id }: One) {
  return (
    <Link to="/inbox/case/$caseId" params={{ caseId: id }} search>
      <code>{shortId(id)}</code>
    </Link>
  );
}

function Result({ one: { result, status }, isUndo }: { readonly one: One; readonly isUndo: boolean }) {
  const ended = status === "discarded" ? "discarded" : isUndo && status === "quarantined" ? "restored" : null;
  const [text, tone] = RESULTS[result] ?? [result, "quiet"];
  return <Badge tone={tone}>{result === "ended" && ended !== null ? ended : text}</Badge>;
}

function Cases({ batchId, isUndo }: { readonly batchId: string; readonly isUndo: boolean }) {
  const [offset, setOffset] = useState(0);
  const query = $api.useQuery("get", "/v1/ward/applies/{batch_id}/cases", {
    params: { path: { batch_id: batchId }, query: { limit: LIMIT, offset } },
  });
  return (
    <Loaded query={query}>
      {({ cases, total }) => (
        <>
          <Table
            label="Cases of this work"
            rows={cases}
            keyOf={({ case_id: id }) => id}
            empty={<p className={styles.quiet}>No case waited when it was planned.</p>}
            columns={isUndo ? UNDONE : COLUMNS}
          />
          {total > LIMIT && (
            <div className={styles.buttons}>
              <Button disabled={offset === 0} onClick={() => setOffset(offset - LIMIT)}>
                Before
              </Button>
              {offset + 1} to {Math.min(total, offset + LIMIT)} of {total}
              <Button disabled={offset + LIMIT >= total} onClick={() => setOffset(offset + LIMIT)}>
                After
              </Button>
            </div>
          )}
        </>
      )}
    </Loaded>
  );
}
