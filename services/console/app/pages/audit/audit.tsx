import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { ReactNode } from "react";
import { visible } from "#shared/json";
import { api, useRole } from "../../data/api.ts";
import { useCommands } from "../../parts/commands.ts";
import { Choice, SearchBox, useAsked } from "../../parts/filters.tsx";
import { addressOf, CaseLink, GroupLink } from "../../parts/links.tsx";
import { Badge, Button, Empty, Page } from "../../parts/page.tsx";
import { amount, LOG, TablePanel } from "../../parts/table.tsx";
import type { Columns, Entry } from "../../parts/table.tsx";
import { counted, words } from "../../parts/text.ts";
import parts from "../../parts/parts.module.css";
import styles from "./audit.module.css";

/** A line of any of the logs. */
interface Line extends Entry {
  /** Place in the chain of what people did. */
  readonly number?: number | undefined;
  /** Its fault, or that it tells of damage. */
  readonly fault?: string | undefined;
}

const [LIMIT, EXPORTED_AT_ONCE] = [200, 1000];
const params = { query: { limit: LIMIT } };

/** The logs: their texts, and how their newest lines are read. What people did is shown where none is asked for. */
const LOGS = {
  people: {
    title: "What people did",
    none: "Nobody has changed anything yet.",
    read: async (): Promise<readonly Line[]> => {
      const { data } = await api.GET("/v1/audit/people", { params });
      return (data?.records ?? []).map(({ record, fault }) => ({
        at: null,
        action: "",
        ...record,
        number: record?.number ?? fault?.number,
        by: record === null ? "" : nameOf(record),
        fault: fault?.problem,
      }));
    },
  },
  ward: {
    title: "The ward’s log",
    none: "Nothing has happened in the ward yet.",
    read: async (): Promise<readonly Line[]> => {
      const { data } = await api.GET("/v1/audit", { params });
      return (data?.audit ?? []).map(({ case_id, detail, ...line }) => ({
        ...line,
        fault: ["missing", "damaged"].includes(line.action) ? line.action : undefined,
        detail: { case_id, ...detail },
      }));
    },
  },
  refusals: {
    title: "Refused attempts",
    none: "Nobody was refused.",
    read: async (): Promise<readonly Line[]> => {
      const { data } = await api.GET("/v1/refusals", { params });
      return (data?.refusals ?? []).map(({ code, unrecorded, ...one }) => ({
        at: one.at,
        by: one.by ?? "nobody known",
        action: `asked for ${one.method}`,
        why: `${one.status} ${words(code)}${unrecorded > 0 ? `, and ${unrecorded} more like it` : ""}`,
        detail: { route: one.route, address: one.address, service: one.service },
      }));
    },
  },
};

/** The logs of acts with their reasons, the verdict on the chain of records, and refused attempts. */
export function Audit() {
  const [{ log: asked, text = "" }] = useAsked();
  const log = asked === "ward" || asked === "refusals" ? asked : "people";
  const isAdmin = useRole() === "admin";
  const { title, none, read } = LOGS[log];
  const isMeant = (line: Line): boolean => JSON.stringify(line).toLowerCase().includes(text.toLowerCase());
  const query = useQuery({ queryKey: ["get", "/v1/audit", log], queryFn: read });
  const lines = query.data ?? [];
  return (
    <Page title="Audit" actions={<Export />}>
      <div className={parts.filters}>
        <Choice
          name="log"
          label="Log"
          options={isAdmin ? ["ward", "refusals"] : ["ward"]}
          none="what people did"
        />
        <SearchBox label="Find in what is shown" />
      </div>
      <TablePanel
        title={title}
        query={query}
        rows={lines.filter(isMeant)}
        keyOf={LOG.keyOf}
        columns={{ ...(log === "people" && NUMBER), ...LOG.columns, ...ABOUT }}
        empty={
          <Empty title={lines.length === 0 ? none : "Nothing here meets this."}>
            {lines.length > 0 && <p>The newest {LIMIT} lines are looked at.</p>}
          </Empty>
        }
      >
        {log === "people" && query.data && <Verdict of={query.data} />}
        {log === "ward" && <p>What the ward, the surgeon and people did. Nothing seals its lines.</p>}
      </TablePanel>
    </Page>
  );
}

const nameOf = ({ by, person }: { readonly by: string; readonly person: string | null }): string =>
  person === by ? by : `${by} (${person ?? "not known whose"})`;

const NUMBER: Columns<Line> = { "No.": amount(({ number }) => number) };
const ABOUT: Columns<Line> = {
  About: ({ fault = "", detail = {} }) => (
    <span className={styles.detail}>
      {fault !== "" && <span className={parts.bad}>{fault}</span>}
      {Object.entries(detail).map(([name, value]) =>
        value === null || value === "" ? null : (
          <span key={name}>
            <span className={parts.quiet}>{words(name)}</span> {linked(name, value)}
          </span>
        ),
      )}
    </span>
  ),
};

function linked(name: string, value: unknown): ReactNode {
  if (typeof value !== "string") return visible(JSON.stringify(value));
  if (name === "case_id") return <CaseLink id={value} />;
  if (name === "fingerprint") return <GroupLink of={{ fingerprint: value }} />;
  if (name !== "recipe_id") return visible(value);
  return <Link {...addressOf.recipe(value)}>{value}</Link>;
}

/** The verdict on the chain of records, as far as it is shown. */
function Verdict({ of: lines }: { readonly of: readonly Line[] }) {
  const faults = lines.filter(({ fault }) => fault !== undefined).length;
  const isSound = faults === 0;
  return (
    <p className={parts.quiet} role={isSound ? undefined : "alert"}>
      <Badge tone={isSound ? "good" : "bad"}>{isSound ? "the chain holds" : counted(faults, "fault")}</Badge>{" "}
      {isSound
        ? `Each of the newest ${counted(lines.length, "record")} follows the one before as it was written. `
        : "Records were changed, taken out or lost. Compare with an export that was kept elsewhere. "}
      All of them: <code>npx suture audit verify</code>.
    </p>
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
      <span role="status" className={parts.quiet}>
        {said}
      </span>
      <Button onClick={run}>Export</Button>
    </div>
  );
}
