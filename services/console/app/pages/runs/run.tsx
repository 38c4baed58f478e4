import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { $api, api, readAgain } from "../../data/api.ts";
import { duration, money, words } from "../../parts/amounts.ts";
import { AskWhy } from "../../parts/ask-why.tsx";
import { AuditList } from "../../parts/audit-list.tsx";
import { Badge, Status } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { useAsked } from "../../parts/filters.tsx";
import { Facts, Id, Json, Page, Panel } from "../../parts/page.tsx";
import { Loaded } from "../../parts/states.tsx";
import { useNow, When } from "../../parts/when.tsx";
import { KINDS, layHops } from "./lay-hops.ts";
import type { RunInFull, Spans } from "./lay-hops.ts";
import { heldBy, Took } from "./runs.tsx";
import { Steps } from "./steps.tsx";
import parts from "../../parts/parts.module.css";
import styles from "./runs.module.css";

/** A run that goes on tells nothing by itself; it is read this often, in ms. */
const FOLLOWED_MS = 2000;
const CASES_MAX = 50;

/** One run: how it stands, where its time went, what passed between its steps, and what happened. */
export function Run() {
  const { runId } = useParams({ from: "/shell/runs/$runId" });
  const query = $api.useQuery(
    "get",
    "/v1/runs/{run_id}",
    { params: { path: { run_id: runId }, query: { include: "events" } } },
    { refetchInterval: ({ state }) => (state.data?.ended_at === null ? FOLLOWED_MS : false) },
  );
  return (
    <Page title={`Run ${runId.slice(0, 8)}`} actions={<Link to="/runs">All runs</Link>}>
      <Loaded query={query}>
        {(run) => (
          <>
            {/* What was revealed of one run is not shown with another. */}
            <Standing key={runId} run={run} />
            <Cases runId={runId} />
            <Waterfall run={run} />
            <Log run={run} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** What was revealed of a run, and how that is set. */
type Revealed = ReturnType<typeof useState<unknown>>;

function Standing({ run }: { readonly run: RunInFull }) {
  const { run_id: id, trace_id: trace, billing } = run;
  const shown = useState<unknown>(null);
  return (
    <Panel title="How it stands" aside={<Orders run={run} shown={shown} />}>
      <Facts
        of={[
          ["Team", run.team],
          ["Created", <When key="created" at={run.created_at} />],
          ["Took", <Took key="took" run={run} />],
          ["Cost", money(billing.cost_so_far)],
          ["Tokens", billing.tokens_consumed.toLocaleString("en")],
          ["Held by", heldBy(run)],
          ["Run", <Id key="run" of={id} />],
          ["Trace", trace === "" ? "–" : <Id key="trace" of={trace} />],
          run.rehearsed && ["Models", "rehearsed: no result of a model"],
        ]}
      />
      {(run.error ?? null) !== null && <Json of={run.error} label="Error" />}
      {(run.result ?? null) !== null && (
        <details>
          <summary>Result</summary>
          <Json of={run.result} label="Result" />
        </details>
      )}
      {shown[0] !== null && <Json of={shown[0]} label="Result, error and events, unmasked" />}
    </Panel>
  );
}

/** Status of a run, and what can be done with it by those who may. */
function Orders({ run, shown }: { readonly run: RunInFull; readonly shown: Revealed }) {
  const [revealed, setRevealed] = shown;
  const { data: session } = $api.useQuery("get", "/v1/session");
  const params = { path: { run_id: run.run_id } };
  const reveal = async (why: string): Promise<void> =>
    setRevealed((await api.POST("/v1/runs/{run_id}/reveal", { params, body: { why } })).data);
  const isOpen = run.ended_at === null;
  const isCancelling = isOpen && run.events?.some(({ type }) => type === "cancel_requested");
  return (
    <span className={parts.buttons}>
      <Status of={run.status} />
      {isCancelling && <Badge tone="warn">being cancelled: ends when nobody holds it</Badge>}
      {revealed !== null && <Button onClick={() => setRevealed(null)}>Hide what was revealed</Button>}
      {revealed === null && session?.role === "admin" && (
        <AskWhy
          title="Reveal this run"
          says="Result, error and events are shown without masks of sensitive values. Who looked, when and why is written down first."
          send={reveal}
        >
          Reveal …
        </AskWhy>
      )}
      {isOpen && !isCancelling && session !== undefined && session.role !== "viewer" && (
        <AskWhy
          title="Cancel this run"
          says="Its agents refuse its messages from now on, and its cases are closed. A step in hand ends first. This cannot be undone."
          tone="bad"
          opener="bad"
          asksWhy={false}
          send={() => api.POST("/v1/runs/{run_id}/cancel", { params }).then(readAgain)}
        >
          Cancel …
        </AskWhy>
      )}
    </span>
  );
}

/** Where the time of a run went, message by message. A bar opens what its message was sent and what it used. */
function Waterfall({ run }: { readonly run: RunInFull }) {
  const now = useNow();
  const [{ message }, ask] = useAsked();
  const { rows, totalMs } = layHops(run, Math.max(now, Date.parse(run.created_at)));
  const legend = sumsOf(rows.flatMap(({ spans }) => spans)).map(([kind, text]) => (
    <span key={kind}>
      <i data-kind={kind} /> {text}
    </span>
  ));
  return (
    <Panel title="Where its time went" aside={<span className={styles.legend}>{legend}</span>}>
      {rows.length === 0 && <p>No agent has begun it yet.</p>}
      <ol className={styles.waterfall}>
        {rows.map(({ hop, spans }) => {
          const id = hop.message_id;
          const isOpen = message === id;
          return (
            <li key={id}>
              <button
                type="button"
                className={styles.hop}
                aria-expanded={isOpen}
                onClick={() => ask({ message: isOpen ? undefined : id })}
              >
                <span className={styles.name}>
                  <b>{hop.agent ?? "unknown"}</b>
                  {hop.outcome !== null && <Status of={hop.outcome} />}
                  {hop.attempt > 1 && <Badge tone="warn">{hop.attempt} attempts</Badge>}
                </span>
                <Bar spans={spans} totalMs={totalMs} />
                <span className={styles.took}>
                  {duration(hop.ms)}
                  {hop.cost > 0 && ` · ${money(hop.cost)}`}
                </span>
              </button>
              {isOpen && <Steps run={run} messageId={id} />}
            </li>
          );
        })}
      </ol>
    </Panel>
  );
}

/** Returns the kinds that there are, with their words and their time together, in ms. */
function sumsOf(spans: Spans): readonly (readonly [kind: string, text: string, ms: number])[] {
  return Object.entries(KINDS).flatMap(([kind, text]) => {
    const ms = spans.reduce((sum, one) => sum + (one.kind === kind ? one.to - one.from : 0), 0);
    return ms > 0 ? [[kind, text, ms] as const] : [];
  });
}

function Bar({ spans, totalMs }: { readonly spans: Spans; readonly totalMs: number }) {
  const share = (ms: number): string => `${(ms / totalMs) * 100}%`;
  const said = sumsOf(spans).map(([, text, ms]) => `${text} ${duration(ms)}`);
  const label = said.join(", ") || "no time is known";
  return (
    <span className={styles.bar} role="img" aria-label={label} title={label}>
      {spans.map(({ kind, from, to }) => (
        <i
          key={`${kind} ${from}`}
          data-kind={kind}
          style={{ insetInlineStart: share(from), inlineSize: share(to - from) }}
        />
      ))}
    </span>
  );
}

/** Details of an event that are shown, in order. */
const SAID = ["class", "code", "paths", "reason", "end", "by", "model"];

/** What happened in a run, in order. */
function Log({ run: { events = [] } }: { readonly run: RunInFull }) {
  const entries = events.map(({ at, agent, type: action, detail }) => {
    const why = SAID.flatMap((name) => detail[name] ?? []).join(" · ");
    return { at, by: agent ?? "", action, why, detail: {} };
  });
  return (
    <Panel title="What happened">
      <AuditList of={entries} empty="Its log is kept no more." />
    </Panel>
  );
}

/** Cases of a run, with the way to each. */
function Cases({ runId }: { readonly runId: string }) {
  const query = { run_id: runId, limit: CASES_MAX };
  const { data } = $api.useQuery("get", "/v1/ward/cases", { params: { query } });
  if (data === undefined || data.cases.length === 0) return null;
  return (
    <Panel title="Its cases">
      <ul>
        {data.cases.map(({ case_id: caseId, status, agent, contract, ...one }) => (
          <li key={caseId} className={parts.buttons}>
            <Status of={status} />
            <Link to="/inbox/case/$caseId" params={{ caseId }}>
              {agent}: {words(one.failure_class)}
            </Link>
            <span className={parts.quiet}>
              {contract}, <When at={one.updated_ms} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
