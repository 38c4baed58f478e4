import { duration, money } from "../../parts/amounts.ts";
import { Badge, Status } from "../../parts/badge.tsx";
import { useAsked } from "../../parts/filters.tsx";
import { Panel } from "../../parts/page.tsx";
import { useNow } from "../../parts/when.tsx";
import { layHops } from "./lay-hops.ts";
import type { Row, RunInFull } from "./lay-hops.ts";
import { Steps } from "./steps.tsx";
import styles from "./runs.module.css";

const KINDS = {
  wait: "waited in a queue",
  work: "work",
  again: "work tried again",
  failed: "work that failed",
  ward: "at the surgeon",
  person: "waited for a person",
} as const;

/** Where the time of a run went, message by message. A bar opens what its message was sent and what it used. */
export function Waterfall({ run }: { readonly run: RunInFull }) {
  const now = useNow();
  const [{ message }, ask] = useAsked();
  const { rows, totalMs } = layHops(run, Math.max(now, Date.parse(run.created_at)));
  const used = Object.keys(KINDS).filter((kind) =>
    rows.some(({ sums }) => kind in sums && kindOf(sums, kind) > 0),
  );
  return (
    <Panel
      title="Where its time went"
      aside={
        <span className={styles.legend}>
          {used.map((kind) => (
            <span key={kind}>
              <i data-kind={kind} /> {kindText(kind)}
            </span>
          ))}
        </span>
      }
    >
      {rows.length === 0 && <p>No agent has begun it yet.</p>}
      <ol className={styles.waterfall}>
        {rows.map((row) => {
          const id = row.hop.message_id;
          const isOpen = message === id;
          return (
            <li key={id}>
              <button
                type="button"
                className={styles.hop}
                aria-expanded={isOpen}
                onClick={() => ask({ message: isOpen ? undefined : id })}
              >
                <Name row={row} />
                <Bar row={row} totalMs={totalMs} />
                <span className={styles.took}>
                  {duration(row.hop.ms)}
                  {row.hop.cost > 0 && ` · ${money(row.hop.cost)}`}
                </span>
              </button>
              {isOpen && <Steps runId={run.run_id} messageId={id} isOver={run.ended_at !== null} />}
            </li>
          );
        })}
      </ol>
      {rows.length > 0 && (
        <div className={styles.hop} aria-hidden>
          <div className={styles.scale}>
            <span>0</span>
            <span>{duration(totalMs / 2)}</span>
            <span>{duration(totalMs)}</span>
          </div>
        </div>
      )}
    </Panel>
  );
}

const kindOf = (sums: Row["sums"], kind: string): number =>
  Object.entries(sums).find(([name]) => name === kind)?.[1] ?? 0;
const kindText = (kind: string): string => Object.entries(KINDS).find(([name]) => name === kind)?.[1] ?? kind;

function Name({ row: { hop } }: { readonly row: Row }) {
  return (
    <span className={styles.name}>
      <b>{hop.agent ?? "unknown"}</b>
      {hop.outcome !== null && <Status of={hop.outcome} />}
      {hop.attempt > 1 && <Badge tone="warn">{hop.attempt} attempts</Badge>}
    </span>
  );
}

function Bar({ row: { spans, sums }, totalMs }: { readonly row: Row; readonly totalMs: number }) {
  const share = (ms: number): string => `${(ms / totalMs) * 100}%`;
  const said = Object.entries(sums)
    .filter(([, ms]) => ms > 0)
    .map(([kind, ms]) => `${kindText(kind)} ${duration(ms)}`)
    .join(", ");
  return (
    <span className={styles.bar} role="img" aria-label={said || "no time is known"} title={said}>
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
