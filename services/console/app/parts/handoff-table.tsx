import { Link } from "@tanstack/react-router";
import type { Answer } from "../data/answers.ts";
import { percent } from "./amounts.ts";
import { Badge } from "./badge.tsx";
import { Table } from "./table.tsx";
import type { Column } from "./table.tsx";
import styles from "./parts.module.css";

export type Handoff = Answer<"/v1/handoffs">["handoffs"][number];

/** A link to an agent, shown as its name or its id. What comes from outside has no page. */
export const agentLink = (id: string) => {
  const agent = id.replace(/@.*/, "");
  if (agent === "gateway") return id;
  return (
    <Link to="/agents/$agent" params={{ agent }}>
      {id}
    </Link>
  );
};

const COLUMNS: readonly Column<Handoff>[] = [
  { name: "From", cell: ({ from }) => agentLink(from) },
  { name: "To", cell: ({ to }) => agentLink(to) },
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
  { name: "Done", cell: ({ done }) => done.toLocaleString("en"), isNumeric: true },
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

interface HandoffTableProps {
  readonly of: readonly Handoff[];
  readonly label: string;
  /** Shown where there are none. */
  readonly empty: string;
}

/** Handoffs with how often they went well, in the order that they are given in. */
export function HandoffTable({ of, label, empty }: HandoffTableProps) {
  return (
    <Table
      isCards
      label={label}
      rows={of}
      columns={COLUMNS}
      keyOf={(one) => `${one.from} ${one.to} ${one.handoff_type} ${one.contract}`}
      empty={<p className={styles.quiet}>{empty}</p>}
    />
  );
}
