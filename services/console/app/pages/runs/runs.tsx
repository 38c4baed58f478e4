import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { $api } from "../../data/api.ts";
import type { Answer } from "../../data/answers.ts";
import { useWorkforce } from "../../data/agents.ts";
import { duration, money } from "../../parts/amounts.ts";
import { Status } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Choice, SearchBox, useAsked } from "../../parts/filters.tsx";
import { Id, Page } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import type { Column } from "../../parts/table.tsx";
import { useNow, When } from "../../parts/when.tsx";
import parts from "../../parts/parts.module.css";

type Run = Answer<"/v1/runs">["runs"][number];

const STATUSES = "queued running in_ward quarantined completed failed cancelled expired".split(" ");
const LIMIT = 50;

/** Runs, newest first, by status and team; or those that a text leads to. */
export function Runs() {
  const [{ cursor, text = "" }, ask] = useAsked();
  const { data: workforce } = useWorkforce();
  const teams = [...new Set(workforce?.agents.map((one) => one.team))].toSorted();
  return (
    <Page title="Runs">
      <div className={parts.filters}>
        <SearchBox name="text" label="Order, customer, user, trace, id" />
        <Choice name="status" label="Status" options={STATUSES} />
        <Choice name="team" label="Team" options={teams} />
        {cursor !== undefined && (
          <Button onClick={() => ask({ cursor: undefined })}>Back to the newest</Button>
        )}
      </div>
      {text === "" ? <Newest /> : <Found text={text} />}
    </Page>
  );
}

function Newest() {
  const [{ status = "", team = "", cursor = "" }, ask] = useAsked();
  // The API refuses a status that it does not know.
  const asked = { ...(status && { status: status as Run["status"] }), ...(team && { team }) };
  const query = $api.useQuery("get", "/v1/runs", {
    params: { query: { limit: LIMIT, ...asked, ...(cursor && { cursor }) } },
  });
  const { data: overview } = $api.useQuery("get", "/v1/overview");
  const counts = JSON.stringify(overview?.runs);
  // Runs make no news of their own while all goes well; their counts do.
  useEffect(() => void (counts === undefined ? undefined : query.refetch()), [counts, query.refetch]);
  const none = (
    <Empty title="There is no such run here.">
      A task submitted to the gateway (<code>POST /v1/tasks</code>, or <code>npx suture submit</code>) begins
      one. Ended runs are kept for the retention alone. <Link to="/runs">Show all runs</Link>
    </Empty>
  );
  return (
    <Loaded query={query}>
      {({ runs, next_cursor: next }) => (
        <section className={parts.panel}>
          <Table
            isCards
            label="Runs, newest first"
            rows={runs}
            keyOf={({ run_id: id }) => id}
            empty={none}
            columns={COLUMNS}
          />
          {next !== null && <Button onClick={() => ask({ cursor: next })}>Older runs</Button>}
        </section>
      )}
    </Loaded>
  );
}

/** Runs that hold all of these words, or have this id. */
function Found({ text }: { readonly text: string }) {
  const params = { query: { text, kind: "run" as const, limit: LIMIT } };
  const query = $api.useQuery("get", "/v1/search", { params });
  return (
    <Loaded query={query}>
      {({ found, looked_back_to: since }) => (
        <section className={parts.panel}>
          <p role="status" className={parts.quiet}>
            {since === null ? (
              "All runs were searched, as a viewer may see them."
            ) : (
              <>
                Runs since <When at={since} /> were searched; older ones are being read.
              </>
            )}
          </p>
          <Table
            isCards
            label="Runs found, newest first"
            rows={found}
            keyOf={({ id }) => id}
            empty={<Empty title="No run holds all of these words." />}
            columns={[
              { name: "Status", cell: ({ status }) => <Status of={status} /> },
              { name: "Run", cell: ({ id }) => runLink(id) },
              { name: "Team", cell: ({ team }) => team },
              { name: "Created", cell: ({ at }) => <When at={at} /> },
            ]}
          />
        </section>
      )}
    </Loaded>
  );
}

const runLink = (id: string) => (
  <Link to="/runs/$runId" params={{ runId: id }}>
    <code title={id}>
      {id.slice(0, 8)}…{id.slice(-4)}
    </code>
  </Link>
);

const COLUMNS: readonly Column<Run>[] = [
  { name: "Status", cell: ({ status }) => <Status of={status} /> },
  { name: "Run", cell: ({ run_id: id }) => runLink(id) },
  { name: "Team", cell: ({ team }) => team },
  { name: "Created", cell: ({ created_at: at }) => <When at={at} /> },
  { name: "Took", cell: (run) => <Took run={run} />, isNumeric: true },
  { name: "Cost", cell: ({ billing }) => money(billing.cost_so_far), isNumeric: true },
  { name: "Tokens", cell: ({ billing }) => billing.tokens_consumed.toLocaleString("en"), isNumeric: true },
  { name: "Held by", cell: (run) => heldBy(run) },
  { name: "Trace", cell: ({ trace_id: id }) => (id === "" ? "–" : <Id of={id} />) },
];

/** How long a run took, or takes so far. */
export function Took({ run: { created_at: from, ended_at: to } }: { readonly run: Run }) {
  const now = useNow();
  const ms = (to === null ? now : Date.parse(to)) - Date.parse(from);
  return to === null ? <span title="so far">{duration(ms)} …</span> : <>{duration(ms)}</>;
}

/** Returns who holds the open messages of a run, in words. */
export function heldBy({ waiting: { open, in_ward: ward, quarantined }, unreadable = [] }: Run): string {
  const held = [
    open > 0 && `${open} at agents`,
    ward > 0 && `${ward} at the surgeon`,
    quarantined > 0 && `${quarantined} with a person`,
    unreadable.length > 0 && `cannot be read: ${unreadable.join(", ")}`,
  ];
  return held.filter(Boolean).join(", ") || "–";
}
