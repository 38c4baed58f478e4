import { duration, money } from "../../parts/amounts.ts";
import { Badge, Status } from "../../parts/badge.tsx";
import { useAsked } from "../../parts/filters.tsx";
import { Panel } from "../../parts/page.tsx";
import { useNow } from "../../parts/when.tsx";
import { KINDS, layHops } from "./lay-hops.ts";
import type { RunInFull, Spans } from "./lay-hops.ts";
import { Steps } from "./steps.tsx";
import styles from "./runs.module.css";

/** Where the time of a run went, message by message. A bar opens what its message was sent and what it used. */
export function Waterfall({ run }: { readonly run: RunInFull }) {
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
