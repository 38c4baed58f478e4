import type { ComponentProps, ReactNode } from "react";
import { visible } from "#shared/json";
import type { Answer } from "../data/api.ts";
import { AgentLink } from "./links.tsx";
import { Badge, Loaded, Panel, When } from "./page.tsx";
import { percent, whole, words } from "./text.ts";
import styles from "./parts.module.css";

type Cell<Row> = ((row: Row) => ReactNode) & { readonly isNumeric?: boolean };

/** Columns of a table by their names, in order: what each shows of a row. */
export type Columns<Row> = Readonly<Record<string, Cell<Row>>>;

/** A column of amounts, whose cells end at one line. A number is a count; one that is not known is a dash. */
export function amount<Row>(of: (row: Row) => ReactNode): Cell<Row> {
  const cell = (row: Row): ReactNode => {
    const value = of(row) ?? "–";
    return typeof value === "number" ? whole(value) : value;
  };
  return Object.assign(cell, { isNumeric: true });
}

/** Columns of what is in a queue. */
export const LOAD = {
  Waiting: amount(({ waiting }: { readonly waiting?: number }) => waiting),
  Active: amount(({ active }: { readonly active?: number }) => active),
  Delayed: amount(({ delayed }: { readonly delayed?: number }) => delayed),
  Failed: amount(({ failed }: { readonly failed?: number }) => failed),
};

interface TablePanelProps<Row> {
  readonly title: string;
  readonly aside?: ReactNode;
  /** Above the table. */
  readonly children?: ReactNode;
  /** Read for its rows. Default: they are there. */
  readonly query?: ComponentProps<typeof Loaded>["query"];
  readonly rows: readonly Row[];
  readonly columns: Columns<Row>;
  readonly keyOf: (row: Row) => string;
  /** Shown where there are no rows. A text is said quietly. */
  readonly empty?: ReactNode;
}

/** The columns and keys of tables of one kind. */
type TableOf<Row> = Pick<TablePanelProps<Row>, "columns" | "keyOf">;

const READ = { data: true, error: null };

/**
 * A part of a page that is a table under its heading. It scrolls by itself where it is wider than its page; on a phone
 * each row is a card, with the names of its columns.
 */
export function TablePanel<Row>(props: TablePanelProps<Row>) {
  const { title, aside, children, query = READ, rows, keyOf, empty = null } = props;
  const columns = Object.entries(props.columns);
  const none = typeof empty === "string" ? <p className={styles.quiet}>{empty}</p> : empty;
  const table = (
    <div className={styles.tableBox}>
      <table className={styles.table} aria-label={title}>
        <thead>
          <tr>
            {columns.map(([name, { isNumeric = false }]) => (
              <th key={name} scope="col" data-numeric={isNumeric}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(([name, cell]) => (
                <td key={name} data-name={name} data-numeric={cell.isNumeric ?? false}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
  return (
    <Panel title={title} aside={aside}>
      {children}
      <Loaded query={query}>{() => (rows.length === 0 ? none : table)}</Loaded>
    </Panel>
  );
}

const [WIDTH, HEIGHT] = [96, 22];

interface TrendProps {
  readonly counts: readonly number[];
  readonly bad?: readonly number[];
  /** Their meaning, for a screen reader. */
  readonly label: string;
  readonly say?: (count: number) => string;
}

/** Bars of counts over time, the newest at the right, and in them how many were bad. Each says its count on hover. */
export function Trend({ counts, bad = [], label, say = String }: TrendProps) {
  const most = Math.max(0, ...counts) || 1;
  const width = WIDTH / Math.max(1, counts.length);
  // A count of 0 is a line at the bottom; none that is bad is nothing.
  const bar = (isBad: boolean) => (count: number, index: number) => {
    const height = count === 0 ? Number(!isBad) : Math.max(2, (count / most) * HEIGHT);
    const place = { x: index * width, y: HEIGHT - height, width: Math.max(1, width - 1), height };
    return (
      <rect key={`${isBad} ${index}`} {...place} data-bad={isBad}>
        <title>{say(count)}</title>
      </rect>
    );
  };
  return (
    <svg className={styles.trend} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {counts.map(bar(false))}
      {bad.map(bar(true))}
    </svg>
  );
}

/** Something that was done. */
export interface Entry {
  readonly at: string | null;
  readonly by: string;
  readonly action: string;
  readonly why?: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** A table of who did what, when and why, in the order given. */
export const LOG: TableOf<Entry> = {
  keyOf: (one) => JSON.stringify(one),
  columns: {
    When: ({ at }) => <When at={at} />,
    Who: ({ by }) => visible(by),
    Did: ({ action, detail: { from, to, since } = {} }) => (
      <>
        {words(action)}
        {typeof from === "string" && ` ${words(from)} → ${words(String(to))}`}
        {typeof since === "string" && ` from ${since} on`}
      </>
    ),
    Why: ({ why = "" }) => <span className={styles.why}>{visible(why)}</span>,
  },
};

type Handoff = Answer<"/v1/handoffs">["handoffs"][number];
type Producer = Answer<"/v1/producers">["producers"][number];

/** A table of handoffs, with how often they went well. */
export const HANDOFFS: TableOf<Handoff> = {
  keyOf: (one) => [one.from, one.to, one.handoff_type, one.contract].join(" "),
  columns: {
    From: ({ from }) => <AgentLink name={from} />,
    To: ({ to }) => <AgentLink name={to} />,
    Type: ({ handoff_type: type, loop, is_declared: isDeclared }) => (
      <span className={styles.badges}>
        {type}
        {loop && <Badge>loop</Badge>}
        {!isDeclared && <Badge tone="warn">undeclared</Badge>}
      </span>
    ),
    Contract: ({ contract }) => contract,
    Done: amount(({ done }) => done),
    Failed: amount(({ failed }) => <span className={failed > 0 ? styles.bad : ""}>{whole(failed)}</span>),
    Success: amount(({ success_rate: rate }) =>
      rate === null ? <span className={styles.quiet}>none ended</span> : percent(rate),
    ),
  },
};

/** A table of what agents make, and how much of it is malformed. */
export const PRODUCERS: TableOf<Producer> = {
  keyOf: (one) => [one.agent, one.contract, one.model, one.prompt_version].join(" "),
  columns: {
    Contract: ({ contract }) => contract,
    Model: ({ model }) => model ?? "handed on",
    Prompt: ({ prompt_version: version }) => version ?? "–",
    Outputs: amount(({ outputs }) => outputs),
    Malformed: amount(({ malformed }) => malformed),
    Rate: amount(({ rate, malformed }) => (
      <span className={malformed > 0 ? styles.bad : ""}>{percent(rate)}</span>
    )),
    Trend: ({ trend: { outputs, malformed } }) => (
      <Trend counts={outputs} bad={malformed} label="Outputs over time, and those that were malformed" />
    ),
  },
};
