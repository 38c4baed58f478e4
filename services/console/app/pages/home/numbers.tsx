import { $api } from "../../data/api.ts";
import { counted, money } from "../../parts/amounts.ts";
import { Panel } from "../../parts/page.tsx";
import { Place } from "../../parts/place.tsx";
import { Table } from "../../parts/table.tsx";
import { Trend } from "../../parts/trend.tsx";
import type { Group } from "./needs.ts";
import styles from "./home.module.css";

interface Row {
  readonly name: string;
  readonly to: string;
  readonly hour: string;
  readonly day: string;
  /** By hour, the newest last. */
  readonly trend: readonly number[];
}

const DAY_HOURS = 24;
const WHOLE = new Intl.NumberFormat("en");
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** Adds up lists place by place from their ends, and keeps the last day. */
function addUp(lists: readonly (readonly number[])[]): number[] {
  return Array.from({ length: DAY_HOURS }, (_, index) =>
    sum(lists.map((list) => list[list.length - DAY_HOURS + index] ?? 0)),
  );
}

function countRow(name: string, to: string, trend: readonly number[]): Row {
  return { name, to, hour: WHOLE.format(trend.at(-1) ?? 0), day: WHOLE.format(sum(trend)), trend };
}

/** How the last hour and day went, and how many runs there are. */
export function Numbers({ groups }: { readonly groups: readonly Group[] }) {
  const { data: overview } = $api.useQuery("get", "/v1/overview");
  const { data: costs } = $api.useQuery("get", "/v1/ward/costs");
  const { data: rates } = $api.useQuery("get", "/v1/producers", { params: { query: { span: "two_days" } } });
  const producers = rates?.producers ?? [];
  const hours = costs?.hours ?? [];
  const rows: readonly Row[] = [
    countRow("Messages", "flow", addUp(producers.map(({ trend }) => trend.outputs))),
    countRow("Malformed", "flow", addUp(producers.map(({ trend }) => trend.malformed))),
    countRow("Failures", "inbox", addUp(groups.map(({ trend }) => trend))),
    {
      name: "Repairs",
      to: "cost",
      hour: money(costs?.this_hour ?? 0),
      day: money(sum(hours)),
      trend: hours,
    },
  ];
  const { equation, ward } = overview ?? {};
  const facts: readonly (readonly [string, number | undefined])[] = [
    ["runs under way", equation?.waiting],
    ["completed", equation?.completed],
    ["failed", equation?.failed],
    ["cases to decide", ward?.quarantined],
    ["in treatment", ward && (ward.admitted ?? 0) + (ward.in_surgery ?? 0)],
    ["sent on healed", ward && (ward.discharged ?? 0) + (ward.released ?? 0)],
  ];
  return (
    <div className={styles.numbers}>
      <Panel title="The last hour and day">
        <Table
          label="The last hour and day"
          rows={rows}
          keyOf={({ name }) => name}
          empty={null}
          columns={[
            { name: "What", cell: ({ name, to }) => <Place to={to}>{name}</Place> },
            { name: "This hour", cell: ({ hour }) => hour, isNumeric: true },
            { name: "24 hours", cell: ({ day }) => day, isNumeric: true },
            {
              name: "By hour",
              cell: ({ name, trend }) => <Trend counts={trend} label={`${name} by hour`} />,
            },
          ]}
        />
      </Panel>
      <Panel title="In all">
        <dl className={styles.tiles}>
          {facts.map(([name, value]) => (
            <div key={name} className={styles.tile}>
              <dt>{name}</dt>
              <dd>{value === undefined ? "…" : WHOLE.format(value)}</dd>
            </div>
          ))}
        </dl>
        {equation?.balanced === true && (
          <p className={styles.quiet}>{counted(equation.submitted, "run")} submitted, all accounted for.</p>
        )}
      </Panel>
    </div>
  );
}
