import type { Answer } from "../data/answers.ts";
import { percent } from "./amounts.ts";
import { Badge } from "./badge.tsx";
import { AgentLink } from "./links.tsx";
import { countColumn, Table } from "./table.tsx";
import type { Column } from "./table.tsx";
import { Trend } from "./trend.tsx";
import styles from "./parts.module.css";

export type Handoff = Answer<"/v1/handoffs">["handoffs"][number];
type Producer = Answer<"/v1/producers">["producers"][number];

/** A link to an agent, shown as its name or its id. What comes from outside has no page. */
const COLUMNS: readonly Column<Handoff>[] = [
  { name: "From", cell: ({ from }) => <AgentLink name={from} /> },
  { name: "To", cell: ({ to }) => <AgentLink name={to} /> },
  {
    name: "Type",
    cell: ({ handoff_type: type, loop, is_declared: isDeclared }) => (
      <span className={styles.badges}>
        {type}
        {loop && <Badge>loop</Badge>}
        {!isDeclared && <Badge tone="warn">undeclared</Badge>}
      </span>
    ),
  },
  { name: "Contract", cell: ({ contract }) => contract },
  countColumn("Done", ({ done }) => done),
  {
    name: "Failed",
    cell: ({ failed }) => <span className={failed > 0 ? styles.bad : ""}>{failed.toLocaleString("en")}</span>,
    isNumeric: true,
  },
  {
    name: "Success",
    cell: ({ success_rate: rate }) =>
      rate === null ? <span className={styles.quiet}>none ended</span> : percent(rate),
    isNumeric: true,
  },
];

/** Handoffs with how often they went well, in the order that they are given in. @param empty - Said of none. */
export function HandoffTable(props: {
  readonly of: readonly Handoff[];
  readonly label: string;
  readonly empty: string;
}) {
  return (
    <Table
      isCards
      label={props.label}
      rows={props.of}
      columns={COLUMNS}
      keyOf={(one) => `${one.from} ${one.to} ${one.handoff_type} ${one.contract}`}
      empty={<p className={styles.quiet}>{props.empty}</p>}
    />
  );
}

/** Columns of who makes outputs, and how many of them are malformed. The first says which agent. */
export const PRODUCERS: readonly Column<Producer>[] = [
  {
    name: "Agent",
    cell: ({ agent }) => {
      const [name = "", version = ""] = agent.split("@");
      return (
        <span>
          <AgentLink name={name} />@{version}
        </span>
      );
    },
  },
  { name: "Contract", cell: ({ contract }) => contract },
  { name: "Model", cell: ({ model }) => model ?? "handed on" },
  { name: "Prompt", cell: ({ prompt_version: version }) => version ?? "–" },
  countColumn("Outputs", ({ outputs }) => outputs),
  countColumn("Malformed", ({ malformed }) => malformed),
  {
    name: "Rate",
    cell: ({ rate, malformed }) => <span className={malformed > 0 ? styles.bad : ""}>{percent(rate)}</span>,
    isNumeric: true,
  },
  {
    name: "Trend",
    cell: ({ trend: { outputs, malformed } }) => (
      <Trend counts={outputs} bad={malformed} label="Outputs over time, and those that were malformed" />
    ),
  },
];

export const producerKey = (one: Producer): string =>
  [one.agent, one.contract, one.model, one.prompt_version].join(" ");
