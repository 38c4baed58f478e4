import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import type { ReactNode } from "react";
import { $api, api, readAgain } from "../../data/api.ts";
import { money } from "../../parts/amounts.ts";
import { AskWhy } from "../../parts/ask-why.tsx";
import { Badge, Status } from "../../parts/badge.tsx";
import { Id } from "../../parts/copy.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Json } from "../../parts/json.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { Loaded } from "../../parts/states.tsx";
import { When } from "../../parts/when.tsx";
import type { RunInFull } from "./lay-hops.ts";
import { Reveal, Revealed } from "./reveal.tsx";
import { HeldBy, Took } from "./run-table.tsx";
import { RunTimeline } from "./run-timeline.tsx";
import { Waterfall } from "./waterfall.tsx";
import parts from "../../parts/parts.module.css";

/** A run that goes on tells nothing by itself; it is read this often, in ms. */
const FOLLOWED_MS = 2000;

/** One run: how it stands, where its time went, what passed between its steps, and what happened. */
export function Run() {
  const { runId } = useParams({ from: "/shell/runs/$runId" });
  // What was revealed of one run is not shown with another.
  return <OneRun key={runId} runId={runId} />;
}

function OneRun({ runId }: { readonly runId: string }) {
  const [revealed, setRevealed] = useState<unknown>(null);
  const query = $api.useQuery(
    "get",
    "/v1/runs/{run_id}",
    { params: { path: { run_id: runId }, query: { include: "events" } } },
    { refetchInterval: ({ state }) => (state.data?.ended_at === null ? FOLLOWED_MS : false) },
  );
  const run = query.data;
  return (
    <Page
      title={`Run ${runId.slice(0, 8)}`}
      actions={
        <span className={parts.buttons}>
          {run !== undefined && <Orders run={run} onRevealed={setRevealed} />}
          <Link to="/runs">All runs</Link>
        </span>
      }
    >
      <Loaded query={query}>
        {(found) => (
          <>
            <Head run={found} />
            {revealed !== null && <Revealed of={revealed} onHide={() => setRevealed(null)} />}
            <Cases runId={runId} />
            <Waterfall run={found} />
            <RunTimeline run={found} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Head({ run }: { readonly run: RunInFull }) {
  const { error, result } = run;
  return (
    <Panel title="How it stands" aside={<Status of={run.status} />}>
      <Facts of={factsOf(run)} />
      {error !== null && error !== undefined && <Json of={error} label="Error" />}
      {result !== null && result !== undefined && (
        <details>
          <summary>Result</summary>
          <Json of={result} label="Result" />
        </details>
      )}
    </Panel>
  );
}

const factsOf = (run: RunInFull): readonly (readonly [string, ReactNode] | false)[] => [
  ["Team", run.team],
  ["Created", <When key="created" at={run.created_at} />],
  ["Took", <Took key="took" run={run} />],
  ["Cost", money(run.billing.cost_so_far)],
  ["Tokens", run.billing.tokens_consumed.toLocaleString("en")],
  ["Held by", <HeldBy key="held" run={run} />],
  ["Run", <Id key="run" of={run.run_id} />],
  ["Trace", run.trace_id === "" ? "–" : <Id key="trace" of={run.trace_id} />],
  run.rehearsed && [
    "Models",
    <Badge key="models" tone="warn">
      rehearsed: no result of a model
    </Badge>,
  ],
];

/** What can be done with a run, for those who may. */
function Orders({
  run,
  onRevealed,
}: {
  readonly run: RunInFull;
  readonly onRevealed: (revealed: unknown) => void;
}) {
  const { data: session } = $api.useQuery("get", "/v1/session");
  const isCancelling = run.events?.some(({ type }) => type === "cancel_requested") === true;
  const params = { path: { run_id: run.run_id } };
  if (session === undefined || session.role === "viewer") return null;
  const cancel = async (): Promise<void> => {
    await api.POST("/v1/runs/{run_id}/cancel", { params });
    await readAgain();
  };
  return (
    <>
      {session.role === "admin" && <Reveal runId={run.run_id} onRevealed={onRevealed} />}
      {run.ended_at === null && isCancelling && (
        <Badge tone="warn">being cancelled: ends when nobody holds it</Badge>
      )}
      {run.ended_at === null && !isCancelling && (
        <AskWhy
          title="Cancel this run"
          says="Its agents refuse its messages from now on, and its cases are closed. A step in hand ends first. This cannot be undone."
          tone="bad"
          opener="bad"
          asksWhy={false}
          send={cancel}
        >
          Cancel …
        </AskWhy>
      )}
    </>
  );
}

function Cases({ runId }: { readonly runId: string }) {
  const { data } = $api.useQuery("get", "/v1/ward/cases", {
    params: { query: { run_id: runId, limit: 50 } },
  });
  if (data === undefined || data.cases.length === 0) return null;
  return (
    <Panel title="Its cases">
      <ul>
        {data.cases.map((one) => (
          <li key={one.case_id} className={parts.buttons}>
            <Status of={one.status} />
            <Link to="/inbox/case/$caseId" params={{ caseId: one.case_id }}>
              {one.agent}: {one.failure_class.replaceAll("_", " ")}
            </Link>
            <span className={parts.quiet}>
              {one.contract}, <When at={one.updated_ms} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
