import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { operations } from "#shared/api/client";
import { $api } from "../../data/api.ts";
import { counted } from "../../parts/amounts.ts";
import { Badge } from "../../parts/badge.tsx";
import { useAsked } from "../../parts/filters.tsx";
import { Panel } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import type { Column } from "../../parts/table.tsx";
import { visible } from "../../parts/visible.ts";
import { When } from "../../parts/when.tsx";
import styles from "./audit.module.css";

type Answer<Name extends "listPeopleAudit" | "listAudit" | "listRefusals"> =
  operations[Name]["responses"][200]["content"]["application/json"];
type PeopleRow = Answer<"listPeopleAudit">["records"][number];
type WardRow = Answer<"listAudit">["audit"][number];
type RefusedRow = Answer<"listRefusals">["refusals"][number];

const LIMIT = 200;
const FAULTS_SHOWN = 5;
const params = { params: { query: { limit: LIMIT } } };

/** Keeps rows in which the text of the address occurs. */
function useFound<Row>(rows: readonly Row[]): readonly Row[] {
  const [{ text = "" }] = useAsked();
  const wanted = text.toLowerCase();
  return wanted === "" ? rows : rows.filter((row) => JSON.stringify(row).toLowerCase().includes(wanted));
}

const nothing = (
  <Empty title="Nothing here meets this.">
    <p>Find something else, or look into another log. The newest {LIMIT} lines are looked at.</p>
  </Empty>
);

/** Short facts of a line, as `agent refunds`. */
function Detail({ of }: { readonly of: Readonly<Record<string, unknown>> }) {
  const facts = Object.entries(of).filter(([, value]) => value !== null && value !== "");
  if (facts.length === 0) return null;
  return (
    <span className={styles.detail}>
      {facts.map(([name, value]) => (
        <span key={name}>
          <span className={styles.quiet}>{name.replaceAll("_", " ")}</span>{" "}
          <DetailValue name={name} value={value} />
        </span>
      ))}
    </span>
  );
}

function DetailValue({ name, value }: { readonly name: string; readonly value: unknown }): ReactNode {
  const text = visible(typeof value === "string" ? value : JSON.stringify(value));
  if (typeof value !== "string") return text;
  if (name === "case_id") return <CaseLink id={value} />;
  if (name === "recipe_id")
    return (
      <Link to="/recipes/$recipeId" params={{ recipeId: value }}>
        {text}
      </Link>
    );
  if (name !== "fingerprint") return text;
  return (
    <Link to="/inbox/group/$fingerprint" params={{ fingerprint: value }}>
      {text}
    </Link>
  );
}

function CaseLink({ id }: { readonly id: string }) {
  return (
    <Link to="/inbox/case/$caseId" params={{ caseId: id }} title={id}>
      <code>{id.slice(-8)}</code>
    </Link>
  );
}

const PEOPLE: readonly Column<PeopleRow>[] = [
  { name: "No.", cell: ({ record, fault }) => record?.number ?? fault?.number, isNumeric: true },
  { name: "When", cell: ({ record }) => record && <When at={record.at} /> },
  {
    name: "Who",
    cell: ({ record }) =>
      record && (
        <span title={record.person === null ? "Whose key it is, is not known." : ""}>
          {visible(record.by)}
          {record.person !== null && record.person !== record.by && ` (${visible(record.person)})`}
        </span>
      ),
  },
  { name: "Did", cell: ({ record }) => <code>{record?.action}</code> },
  {
    name: "Why",
    cell: ({ record, fault }) =>
      (record?.why ?? "") + (fault?.problem ?? "") !== "" && (
        <span className={styles.why}>
          {visible(record?.why ?? "")}
          {fault !== null && <span className={styles.bad}> {fault.problem}</span>}
        </span>
      ),
  },
  { name: "About", cell: ({ record }) => record && <Detail of={record.detail} /> },
];

/** What people did, with the verdict on the chain of records. */
export function PeopleLog() {
  const query = $api.useQuery("get", "/v1/audit/people", params);
  const records = query.data?.records ?? [];
  const found = useFound(records);
  const faults = records.flatMap(({ fault }) => fault ?? []);
  return (
    <Loaded query={query}>
      {() => (
        <Panel
          title="What people did"
          aside={
            records.length > 0 && (
              <Badge tone={faults.length === 0 ? "good" : "bad"}>
                {faults.length === 0 ? "the chain holds" : counted(faults.length, "fault")}
              </Badge>
            )
          }
        >
          <p className={styles.verdict}>
            {faults.length === 0
              ? `Each of the newest ${counted(records.length, "record")} follows the one before as it was written. `
              : "Records were changed, taken out or lost. Compare with an export that was kept elsewhere. "}
            All of them: <code>npx suture audit verify</code>.
          </p>
          {faults.length > 0 && (
            <ul role="alert" className={styles.bad}>
              {faults.slice(0, FAULTS_SHOWN).map(({ number, problem }) => (
                <li key={`${number} ${problem}`}>
                  Record {number}: {problem}
                </li>
              ))}
            </ul>
          )}
          <Table
            label="What people did"
            rows={found}
            isCards
            keyOf={({ record, fault }) => String(record?.number ?? `fault ${fault?.number}`)}
            empty={records.length === 0 ? <Empty title="Nobody has changed anything yet." /> : nothing}
            columns={PEOPLE}
          />
        </Panel>
      )}
    </Loaded>
  );
}

const WARD: readonly Column<WardRow>[] = [
  { name: "When", cell: ({ at }) => <When at={at} /> },
  { name: "Who", cell: ({ by }) => visible(by) },
  {
    name: "Did",
    cell: ({ action }) => (
      <code className={action === "missing" || action === "damaged" ? styles.bad : ""}>{action}</code>
    ),
  },
  { name: "Case", cell: ({ case_id: id }) => id !== "" && <CaseLink id={id} /> },
  { name: "Why", cell: ({ why }) => why !== "" && <span className={styles.why}>{visible(why)}</span> },
  { name: "About", cell: ({ detail }) => <Detail of={detail} /> },
];

/** What surgeon, recipes and people did with cases. */
export function WardLog() {
  const query = $api.useQuery("get", "/v1/audit", params);
  const found = useFound(query.data?.audit ?? []);
  return (
    <Loaded query={query}>
      {({ audit }) => (
        <Panel title="The ward’s log">
          <p className={styles.verdict}>
            What the ward, the surgeon and people did with cases. A plain log: nothing seals its lines.
          </p>
          <Table
            label="The ward’s log"
            rows={found}
            isCards
            keyOf={({ seq, at, by, action, case_id: id }) => `${seq} ${at} ${by} ${action} ${id}`}
            empty={audit.length === 0 ? <Empty title="Nothing has happened in the ward yet." /> : nothing}
            columns={WARD}
          />
        </Panel>
      )}
    </Loaded>
  );
}

const REFUSED: readonly Column<RefusedRow>[] = [
  { name: "When", cell: ({ at }) => <When at={at} /> },
  { name: "Who", cell: ({ by }) => (by === null ? "nobody known" : visible(by)) },
  { name: "From", cell: ({ address }) => <code>{address}</code> },
  { name: "At", cell: ({ service }) => service },
  {
    name: "Asked for",
    cell: ({ method, route }) => (
      <code>
        {method} {route}
      </code>
    ),
  },
  {
    name: "Answer",
    cell: ({ status, code, unrecorded }) => (
      <span>
        {status} {code.replaceAll("_", " ")}
        {unrecorded > 0 && <span className={styles.quiet}>, and {unrecorded} more like it</span>}
      </span>
    ),
  },
];

/** What gateway and console refused. */
export function Refusals() {
  const query = $api.useQuery("get", "/v1/refusals", params);
  const found = useFound(query.data?.refusals ?? []);
  return (
    <Loaded query={query}>
      {({ refusals }) => (
        <Panel title="Refused attempts">
          <Table
            label="Refused attempts"
            rows={found}
            isCards
            keyOf={({ at, method, route, address, code }) => `${at} ${method} ${route} ${address} ${code}`}
            empty={refusals.length === 0 ? <Empty title="Nobody was refused." /> : nothing}
            columns={REFUSED}
          />
        </Panel>
      )}
    </Loaded>
  );
}
