import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { ReactNode } from "react";
import type { Answer } from "../../data/answers.ts";
import { $api, api } from "../../data/api.ts";
import { counted, words } from "../../parts/amounts.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { useCommands } from "../../parts/commands.ts";
import { SearchBox, useAsked } from "../../parts/filters.tsx";
import { CaseLink, GroupLink } from "../../parts/links.tsx";
import { Page } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { TablePanel } from "../../parts/table.tsx";
import type { Column } from "../../parts/table.tsx";
import { visible } from "../../parts/visible.ts";
import { When } from "../../parts/when.tsx";
import styles from "./audit.module.css";

type PeopleRow = Answer<"/v1/audit/people">["records"][number];
type WardRow = Answer<"/v1/audit">["audit"][number];
type RefusedRow = Answer<"/v1/refusals">["refusals"][number];

const [LIMIT, EXPORTED_AT_ONCE] = [200, 1000];
const params = { params: { query: { limit: LIMIT } } };

const LOGS = [
  { log: "", name: "What people did", of: PeopleLog },
  { log: "ward", name: "The ward’s log", of: WardLog },
  { log: "refusals", name: "Refused attempts", of: Refusals },
] as const;

/** Who did what, when and why; whether the record was touched; and who was refused. */
export function Audit() {
  const [{ log = "" }] = useAsked();
  const { data: session } = $api.useQuery("get", "/v1/session");
  const offered = LOGS.filter((one) => one.log !== "refusals" || session?.role === "admin");
  const chosen = offered.find((one) => one.log === log) ?? LOGS[0];
  return (
    <Page title="Audit" actions={<Export />}>
      <div className={styles.filters}>
        <nav className={styles.logs} aria-label="Logs">
          {offered.map((one) => (
            <Link
              key={one.log}
              to="/audit"
              search={{ log: one.log }}
              aria-current={one === chosen ? "page" : undefined}
            >
              {one.name}
            </Link>
          ))}
        </nav>
        <SearchBox name="text" label="Find in what is shown" />
      </div>
      <chosen.of />
    </Page>
  );
}

/** Saves all records of what people did as they are stored, a JSON text a line, for a place elsewhere. */
function Export() {
  const [said, setSaid] = useState("");
  const save = async (): Promise<void> => {
    const records: string[] = [];
    for (let isMore = true; isMore;) {
      const query = { offset: records.length, limit: EXPORTED_AT_ONCE };
      const { data } = await api.GET("/v1/audit/people/records", { params: { query } });
      records.push(...(data?.records ?? []));
      isMore = data?.records.length === EXPORTED_AT_ONCE;
      setSaid(`${counted(records.length, "record")} read`);
    }
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([`${records.join("\n")}\n`], { type: "application/jsonl" }));
    link.download = `suture-audit-${new Date().toISOString().slice(0, 10)}.jsonl`;
    link.click();
    URL.revokeObjectURL(link.href);
    setSaid(`${counted(records.length, "record")} saved. To compare: npx suture audit verify --against FILE`);
  };
  const run = (): void => void save().catch((error: unknown) => setSaid(String(error)));
  useCommands([{ name: "Export the audit", run }]);
  return (
    <div className={styles.export}>
      <span role="status" className={styles.quiet}>
        {said}
      </span>
      <Button onClick={run}>Export</Button>
    </div>
  );
}

interface LogProps<Row> {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** Said where the log has no line. */
  readonly none: string;
  readonly aside?: ReactNode;
  readonly children?: ReactNode;
}

/** Lines of a log in which the text of the address occurs. */
function Log<Row>({ rows, none, ...panel }: LogProps<Row>) {
  const [{ text = "" }] = useAsked();
  const isMeant = (row: Row): boolean => JSON.stringify(row).toLowerCase().includes(text.toLowerCase());
  return (
    <TablePanel
      {...panel}
      rows={rows.filter(isMeant)}
      keyOf={(row) => JSON.stringify(row)}
      empty={
        <Empty title={rows.length === 0 ? none : "Nothing here meets this."}>
          {rows.length > 0 && <p>The newest {LIMIT} lines are looked at.</p>}
        </Empty>
      }
    />
  );
}

/** Short facts of a line, as `agent refunds`. */
function Detail({ of }: { readonly of: Readonly<Record<string, unknown>> }) {
  const facts = Object.entries(of).filter(([, value]) => value !== null && value !== "");
  if (facts.length === 0) return null;
  return (
    <span className={styles.detail}>
      {facts.map(([name, value]) => (
        <span key={name}>
          <span className={styles.quiet}>{words(name)}</span> {detailValue(name, value)}
        </span>
      ))}
    </span>
  );
}

function detailValue(name: string, value: unknown): ReactNode {
  if (typeof value !== "string") return visible(JSON.stringify(value));
  if (name === "case_id") return <CaseLink id={value} />;
  if (name === "fingerprint") return <GroupLink of={{ fingerprint: value }} />;
  if (name !== "recipe_id") return visible(value);
  return (
    <Link to="/recipes/$recipeId" params={{ recipeId: value }}>
      {value}
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
      (record?.why || fault) && (
        <span className={styles.why}>
          {visible(record?.why ?? "")} <span className={styles.bad}>{fault?.problem}</span>
        </span>
      ),
  },
  { name: "About", cell: ({ record }) => record && <Detail of={record.detail} /> },
];

function PeopleLog() {
  return (
    <Loaded query={$api.useQuery("get", "/v1/audit/people", params)}>
      {({ records }) => {
        const faults = records.filter(({ fault }) => fault !== null).length;
        const verdict = faults === 0 ? "the chain holds" : counted(faults, "fault");
        return (
          <Log
            title="What people did"
            aside={records.length > 0 && <Badge tone={faults === 0 ? "good" : "bad"}>{verdict}</Badge>}
            rows={records}
            columns={PEOPLE}
            none="Nobody has changed anything yet."
          >
            <p className={styles.verdict} role={faults === 0 ? undefined : "alert"}>
              {faults === 0
                ? `Each of the newest ${counted(records.length, "record")} follows the one before as it was written. `
                : "Records were changed, taken out or lost. Compare with an export that was kept elsewhere. "}
              All of them: <code>npx suture audit verify</code>.
            </p>
          </Log>
        );
      }}
    </Loaded>
  );
}

const WARD: readonly Column<WardRow>[] = [
  { name: "When", cell: ({ at }) => <When at={at} /> },
  { name: "Who", cell: ({ by }) => visible(by) },
  {
    name: "Did",
    cell: ({ action }) => (
      <code className={["missing", "damaged"].includes(action) ? styles.bad : ""}>{action}</code>
    ),
  },
  { name: "Case", cell: ({ case_id: id }) => id !== "" && <CaseLink id={id} /> },
  { name: "Why", cell: ({ why }) => why !== "" && <span className={styles.why}>{visible(why)}</span> },
  { name: "About", cell: ({ detail }) => <Detail of={detail} /> },
];

function WardLog() {
  return (
    <Loaded query={$api.useQuery("get", "/v1/audit", params)}>
      {({ audit }) => (
        <Log title="The ward’s log" rows={audit} columns={WARD} none="Nothing has happened in the ward yet.">
          <p className={styles.verdict}>
            What the ward, the surgeon and people did. Nothing seals its lines.
          </p>
        </Log>
      )}
    </Loaded>
  );
}

const REFUSED: readonly Column<RefusedRow>[] = [
  { name: "When", cell: ({ at }) => <When at={at} /> },
  { name: "Who", cell: ({ by }) => (by === null ? "nobody known" : visible(by)) },
  { name: "From", cell: ({ address }) => <code>{address}</code> },
  { name: "At", cell: ({ service }) => service },
  { name: "Asked for", cell: ({ method, route }) => <code>{`${method} ${route}`}</code> },
  {
    name: "Answer",
    cell: ({ status, code, unrecorded }) =>
      `${status} ${words(code)}${unrecorded > 0 ? `, and ${unrecorded} more like it` : ""}`,
  },
];

function Refusals() {
  return (
    <Loaded query={$api.useQuery("get", "/v1/refusals", params)}>
      {(of) => (
        <Log title="Refused attempts" rows={of.refusals} columns={REFUSED} none="Nobody was refused." />
      )}
    </Loaded>
  );
}
