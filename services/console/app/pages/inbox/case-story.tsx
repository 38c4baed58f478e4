import { Link } from "@tanstack/react-router";
import { money, words } from "../../parts/amounts.ts";
import { AuditList } from "../../parts/audit-list.tsx";
import { Badge, Status } from "../../parts/badge.tsx";
import type { Tone } from "../../parts/badge.tsx";
import { isAttached } from "../../parts/group-name.tsx";
import { Panel } from "../../parts/page.tsx";
import parts from "../../parts/parts.module.css";
import { Table } from "../../parts/table.tsx";
import type { Column } from "../../parts/table.tsx";
import { visible } from "../../parts/visible.ts";
import { When } from "../../parts/when.tsx";
import { procedureName, reasonInWords } from "./case-words.ts";
import type { CaseView } from "./case-data.ts";
import styles from "./case.module.css";

const OUTCOMES: Readonly<Record<string, Tone>> = { healed: "good", objected: "warn" };

/** What was tried, what the run did, and who did what. */
export function Story({ view }: { readonly view: CaseView }) {
  if (isAttached(view.case.case_id))
    return (
      <Panel title="Who did what">
        <AuditList of={view.audit} empty="Nobody has done anything with this job." />
      </Panel>
    );
  return (
    <>
      <Panel title="What was tried">
        <Tried history={view.history} />
      </Panel>
      <div className={styles.beside}>
        <Panel title="The run" aside={<RunState view={view} />}>
          <Timeline events={view.timeline} />
        </Panel>
        <Panel title="Who did what">
          <AuditList of={view.audit} empty="Nothing is written down of it any more." />
        </Panel>
      </div>
    </>
  );
}

type Attempt = CaseView["history"][number]["attempts"][number] & { readonly id: string };

const COLUMNS: readonly Column<Attempt>[] = [
  { name: "Procedure", cell: ({ procedure }) => procedureName(procedure) },
  { name: "Outcome", cell: Outcome },
  { name: "Why", cell: Reason },
  { name: "Model", cell: ({ model }) => model ?? "none" },
  { name: "Took", isNumeric: true, cell: ({ duration_ms: ms }) => `${Math.round(ms)} ms` },
  { name: "Cost", isNumeric: true, cell: ({ cost }) => money(cost) },
];

function Outcome({ outcome }: Attempt) {
  return <Badge tone={OUTCOMES[outcome] ?? "quiet"}>{outcome}</Badge>;
}

function Reason({ procedure, reason, said, objections }: Attempt) {
  return (
    <>
      {visible(reasonInWords(procedure, reason))}{" "}
      {said !== undefined && <q className={parts.quiet}>{visible(said)}</q>}
      {objections.map(({ path, code }) => (
        <div key={`${path} ${code}`}>
          <code>{visible(path || "/")}</code> {words(code)}
        </div>
      ))}
    </>
  );
}

function Tried({ history }: Pick<CaseView, "history">) {
  const attempts = history.flatMap(({ number, attempts: tried }) =>
    tried.map((attempt, index) => ({ ...attempt, id: `${number}.${index}` })),
  );
  return (
    <Table
      label="What was tried"
      rows={attempts}
      keyOf={({ id }) => id}
      empty={<p className={parts.quiet}>Nothing was tried.</p>}
      columns={COLUMNS}
    />
  );
}

function RunState({ view: { run } }: { readonly view: CaseView }) {
  if (run === null) return <span className={parts.quiet}>kept no more</span>;
  return (
    <span className={styles.state}>
      <Status of={run.status} /> <span>{money(run.cost)}</span>
      <Link to="/runs/$runId" params={{ runId: run.run_id }}>
        all steps
      </Link>
    </span>
  );
}

function Timeline({ events }: { readonly events: CaseView["timeline"] }) {
  if (events.length === 0) return <p className={parts.quiet}>Nothing is kept of it.</p>;
  return (
    <ol className={parts.log}>
      {events.map((event) => (
        <li key={event.id}>
          <When at={event.at} />
          <span>
            {words(event.type)} <b>{event.agent}</b>
          </span>
        </li>
      ))}
    </ol>
  );
}
