import { useParams } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { $api, api } from "../../data/api.ts";
import type { Answer } from "../../data/api.ts";
import { useAsked } from "../../parts/filters.tsx";
import { CaseLink } from "../../parts/links.tsx";
import { Badge, Facts, Id, Json, Loaded, Page, Panel, Status, useNow, When } from "../../parts/page.tsx";
import { AskWhy } from "../../parts/reason-form.tsx";
import { LOG, TablePanel } from "../../parts/table.tsx";
import { duration, money, sum, words } from "../../parts/text.ts";
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
  const ofRun = { params: { query: { run_id: runId, limit: CASES_MAX } } };
  const cases = $api.useQuery("get", "/v1/ward/cases", ofRun);
  return (
    <Page title={`Run ${runId.slice(0, 8)}`}>
      <Loaded query={query} beside={cases}>
        {(run) => (
          <>
            {/* What was revealed of one run is not shown with another. */}
            <Standing key={runId} run={run} />
            <Cases cases={cases.data?.cases ?? []} />
            <Waterfall run={run} />
            <Way run={run} />
            <TablePanel
              title="What happened"
              rows={entriesOf(run)}
              {...LOG}
              empty="Its log is kept no more."
            />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** Status, bill and result of a run, with its actions for operators and admins. */
function Standing({ run }: { readonly run: RunInFull }) {
  const { run_id: id, trace_id: trace, billing, error, result } = run;
  const [revealed, setRevealed] = useState<unknown>(null);
  const { data: { role = "viewer", trace_url: traceUrl = null } = {} } = $api.useQuery("get", "/v1/session");
  const params = { path: { run_id: id } };
  const isOpen = run.ended_at === null;
  const isCancelling = isOpen && run.events?.some(({ type }) => type === "cancel_requested");
  const orders = (
    <span className={parts.buttons}>
      <Status of={run.status} />
      {isCancelling && <Badge tone="warn">being cancelled: ends when nobody holds it</Badge>}
      {role === "admin" && (
        <AskWhy
          title="Reveal this run"
          send={async (why) =>
            setRevealed((await api.POST("/v1/runs/{run_id}/reveal", { params, body: { why } })).data)
          }
        >
          Result, error and events are shown without masks of sensitive values. Who looked, when and why is
          written down first.
        </AskWhy>
      )}
      {isOpen && !isCancelling && role !== "viewer" && (
        <AskWhy
          title="Cancel this run"
          tone="bad"
          asksWhy={false}
          send={() => api.POST("/v1/runs/{run_id}/cancel", { params })}
        >
          Its agents refuse its messages from now on, and its cases are closed. A step in hand ends first.
          This cannot be undone.
        </AskWhy>
      )}
    </span>
  );
  const values = { Error: error, Result: result, "Result, error and events, unmasked": revealed };
  return (
    <Panel title="How it stands" aside={orders}>
      <Facts
        of={{
          Team: run.team,
          Created: <When at={run.created_at} />,
          Took: <Took run={run} />,
          Cost: money(billing.cost_so_far),
          Tokens: billing.tokens_consumed.toLocaleString("en"),
          "Held by": heldBy(run),
          Run: <Id of={id} />,
          Trace: trace === "" ? "–" : <Id of={trace} />,
          "Trace in full": trace !== "" && traceUrl !== null && (
            <a href={traceUrl.replaceAll("{trace_id}", trace)} target="_blank" rel="noopener noreferrer">
              open <span aria-hidden>↗</span>
            </a>
          ),
          Models: run.rehearsed && "rehearsed: no result of a model",
        }}
      />
      {Object.entries(values).map(
        ([name, value]) =>
          (value ?? null) !== null && (
            <details key={name} open={value !== result}>
              <summary>{name}</summary>
              <Json of={value} label={name} />
            </details>
          ),
      )}
    </Panel>
  );
}

const RunGraph = lazy(() => import("./run-graph.tsx"));
/** A picture of more is no help. */
const DRAWN_MAX = 200;

/** The way of a run through its agents, drawn. */
function Way({ run }: { readonly run: RunInFull }) {
  const [, ask] = useAsked();
  if (run.hops.length < 2 || run.hops.length > DRAWN_MAX) return null;
  return (
    <Panel title="Its way">
      <Suspense fallback={<p>Being drawn …</p>}>
        <RunGraph run={run} onOpen={(message) => ask({ message })} />
      </Suspense>
    </Panel>
  );
}

/** A bar of time for each message of a run. It opens the steps of its message. */
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
    const ms = sum(spans.map((one) => (one.kind === kind ? one.to - one.from : 0)));
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

const entriesOf = ({ events = [] }: RunInFull) =>
  events.map(({ at, agent, type: action, detail }) => {
    const why = SAID.flatMap((name) => (name in detail ? String(detail[name]) : [])).join(" · ");
    return { at, by: agent ?? "", action, why };
  });

/** Cases of a run, with the way to each. */
function Cases({ cases }: { readonly cases: Answer<"/v1/ward/cases">["cases"] }) {
  if (cases.length === 0) return null;
  return (
    <TablePanel
      title="Its cases"
      rows={cases}
      keyOf={({ case_id: id }) => id}
      columns={{
        Status: ({ status }) => <Status of={status} />,
        Case: ({ case_id: id }) => <CaseLink id={id} />,
        Failed: (one) => `${one.agent}: ${words(one.failure_class)}, ${one.contract}`,
        Changed: ({ updated_ms: at }) => <When at={at} />,
      }}
    />
  );
}
