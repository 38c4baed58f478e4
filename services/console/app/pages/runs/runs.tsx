import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { $api, BY_CURSOR, useWorkforce } from "../../data/api.ts";
import type { Answer } from "../../data/api.ts";
import { Choice, SearchBox, useAsked } from "../../parts/filters.tsx";
import { addressOf } from "../../parts/links.tsx";
import { Button, Empty, Id, Page, Status, useNow, When } from "../../parts/page.tsx";
import { amount, TablePanel } from "../../parts/table.tsx";
import type { Columns } from "../../parts/table.tsx";
import { duration, money } from "../../parts/text.ts";
import { SavedViews } from "../../parts/views.tsx";
import parts from "../../parts/parts.module.css";

type Run = Answer<"/v1/runs">["runs"][number];
/** A run that a search found. */
type Found = Answer<"/v1/search">["found"][number];

const STATUSES = "queued running in_ward quarantined completed failed cancelled expired".split(" ");
/** Runs that are read at a time. */
const SHOWN = 50;

/** Runs, newest first, by status and team; or those that a text leads to. */
export function Runs() {
  const [{ text = "" }] = useAsked();
  const { data: workforce } = useWorkforce();
  const teams = [...new Set(workforce?.agents.map((one) => one.team))].toSorted();
  return (
    <Page title="Runs">
      <div className={parts.filters}>
        <SearchBox label="Order, customer, user, trace, id" />
        <Choice name="status" label="Status" options={STATUSES} />
        <Choice name="team" label="Team" options={teams} />
        <SavedViews of="runs" />
      </div>
      {text === "" ? <Newest /> : <Matches text={text} />}
    </Page>
  );
}

function Newest() {
  const [{ status = "", team = "" }] = useAsked();
  // The API refuses a status that it does not know.
  const asked = { ...(status && { status: status as Run["status"] }), ...(team && { team }) };
  const query = $api.useInfiniteQuery(
    "get",
    "/v1/runs",
    { params: { query: { limit: SHOWN, ...asked } } },
    BY_CURSOR,
  );
  const { data: overview } = $api.useQuery("get", "/v1/overview");
  const counts = JSON.stringify(overview?.runs);
  // Runs make no news of their own while all goes well; their counts do.
  useEffect(() => void (counts === undefined ? undefined : query.refetch()), [counts, query.refetch]);
  const none = (
    <Empty title="There is no such run here.">
      <p>
        A task submitted to the gateway (<code>POST /v1/tasks</code>, or <code>npx suture submit</code>)
        begins one. Ended runs are kept for the retention alone. <Link to="/runs">Show all runs</Link>
      </p>
    </Empty>
  );
  const runs = query.data?.pages.flatMap((page) => page.runs) ?? [];
  return (
    <>
      <TablePanel
        title="Newest first"
        query={query}
        rows={runs.map((run) => ({ ...run, id: run.run_id, at: run.created_at }))}
        keyOf={({ id }) => id}
        empty={none}
        columns={{ ...COLUMNS, ...MORE }}
      />
      {query.hasNextPage && <Button onClick={() => void query.fetchNextPage()}>Older runs</Button>}
    </>
  );
}

/** Runs that hold all of these words, or have this id. */
function Matches({ text }: { readonly text: string }) {
  const params = { query: { text, kind: "run" as const, limit: SHOWN } };
  const query = $api.useQuery("get", "/v1/search", { params });
  const { found = [], looked_back_to: since = null } = query.data ?? {};
  return (
    <TablePanel
      title="Found, newest first"
      query={query}
      rows={found}
      keyOf={({ id }) => id}
      empty={<Empty title="No run holds all of these words." />}
      columns={COLUMNS}
    >
      <p role="status" className={parts.quiet}>
        Runs are searched as a viewer may see them, {since === null ? "all of them." : "so far since "}
        {since !== null && <When at={since} />}
      </p>
    </TablePanel>
  );
}

const COLUMNS: Columns<Pick<Found, "status" | "id" | "team" | "at">> = {
  Status: ({ status }) => <Status of={status} />,
  Run: ({ id }) => (
    <Link {...addressOf.run(id)}>
      <code title={id}>
        {id.slice(0, 8)}…{id.slice(-4)}
      </code>
    </Link>
  ),
  Team: ({ team }) => team,
  Created: ({ at }) => <When at={at} />,
};

/** Columns of what is listed alone. */
const MORE: Columns<Run> = {
  Took: amount((run) => <Took run={run} />),
  Cost: amount(({ billing }) => money(billing.cost_so_far)),
  Tokens: amount(({ billing }) => billing.tokens_consumed),
  "Held by": heldBy,
  Trace: ({ trace_id: id }) => (id === "" ? "–" : <Id of={id} />),
};

/** The duration of a run, or so far of one that goes on. */
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
