import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Answer } from "../../data/answers.ts";
import { duration, money } from "../../parts/amounts.ts";
import { Badge, Status } from "../../parts/badge.tsx";
import { Id } from "../../parts/copy.tsx";
import { Table } from "../../parts/table.tsx";
import type { Column } from "../../parts/table.tsx";
import { useNow, When } from "../../parts/when.tsx";
import parts from "../../parts/parts.module.css";

export type Run = Answer<"/v1/runs">["runs"][number];

const COLUMNS: readonly Column<Run>[] = [
  { name: "Status", cell: ({ status }) => <Status of={status} /> },
  {
    name: "Run",
    cell: ({ run_id: id }) => (
      <Link to="/runs/$runId" params={{ runId: id }}>
        <code title={id}>
          {id.slice(0, 8)}…{id.slice(-4)}
        </code>
      </Link>
    ),
  },
  { name: "Team", cell: ({ team }) => team },
  { name: "Created", cell: ({ created_at: at }) => <When at={at} /> },
  { name: "Took", cell: (run) => <Took run={run} />, isNumeric: true },
  { name: "Cost", cell: ({ billing }) => money(billing.cost_so_far), isNumeric: true },
  {
    name: "Tokens",
    cell: ({ billing }) => billing.tokens_consumed.toLocaleString("en"),
    isNumeric: true,
  },
  { name: "Held by", cell: (run) => <HeldBy run={run} /> },
  { name: "Trace", cell: ({ trace_id: id }) => (id === "" ? "–" : <Id of={id} />) },
];

/** Runs as a table: how each stands, what it cost, and who holds it. */
export function RunTable({ runs, empty }: { readonly runs: readonly Run[]; readonly empty: ReactNode }) {
  return (
    <Table isCards label="Runs" rows={runs} keyOf={({ run_id: id }) => id} empty={empty} columns={COLUMNS} />
  );
}

/** How long a run took, or takes so far. */
export function Took({ run: { created_at: from, ended_at: to } }: { readonly run: Run }) {
  const now = useNow();
  const ms = (to === null ? now : Date.parse(to)) - Date.parse(from);
  return to === null ? <span title="so far">{duration(ms)} …</span> : <>{duration(ms)}</>;
}

/** Who holds the open messages of a run. */
export function HeldBy({ run: { waiting, unreadable } }: { readonly run: Run }) {
  const { open, in_ward: ward, quarantined } = waiting;
  return (
    <span className={parts.badges}>
      {open > 0 && <Badge>{open} at agents</Badge>}
      {ward > 0 && <Badge tone="accent">{ward} at the surgeon</Badge>}
      {quarantined > 0 && <Badge tone="bad">{quarantined} wait for a person</Badge>}
      {unreadable !== undefined && <Badge tone="bad">cannot be read: {unreadable.join(", ")}</Badge>}
      {open + ward + quarantined === 0 && unreadable === undefined && (
        <span className={parts.quiet}>nobody</span>
      )}
    </span>
  );
}
