import { Link } from "@tanstack/react-router";
import { $api } from "../../data/api.ts";
import type { Answer } from "../../data/answers.ts";
import { counted, percent } from "../../parts/amounts.ts";
import { Panel } from "../../parts/page.tsx";
import { Loaded } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import type { Column } from "../../parts/table.tsx";
import { Trend } from "../../parts/trend.tsx";
import parts from "../../parts/parts.module.css";

type Rates = Answer<"/v1/producers">;
type Producer = Rates["producers"][number];

const COLUMNS: readonly Column<Producer>[] = [
  {
    name: "Agent",
    cell: ({ agent }) => {
      const name = agent.replace(/@.*/, "");
      return name === "gateway" ? (
        agent
      ) : (
        <Link to="/agents/$agent" params={{ agent: name }}>
          {agent}
        </Link>
      );
    },
  },
  { name: "Contract", cell: ({ contract }) => contract },
  { name: "Model", cell: ({ model }) => model ?? "handed on" },
  { name: "Prompt", cell: ({ prompt_version: version }) => version ?? "–" },
  { name: "Outputs", cell: ({ outputs }) => outputs.toLocaleString("en"), isNumeric: true },
  { name: "Malformed", cell: ({ malformed }) => malformed.toLocaleString("en"), isNumeric: true },
  {
    name: "Rate",
    cell: ({ rate, malformed }) => <span className={malformed > 0 ? parts.bad : ""}>{percent(rate)}</span>,
    isNumeric: true,
  },
  {
    name: "Trend",
    cell: ({ trend }) => (
      <Trend
        counts={trend.outputs}
        bad={trend.malformed}
        label={`Outputs over time; malformed in the latest: ${trend.malformed.at(-1) ?? 0}`}
      />
    ),
  },
];

/** Who makes malformed outputs, the worst first: the surgeon heals data, not causes. */
export function Producers({ span }: { readonly span: Rates["span"] }) {
  const query = $api.useQuery("get", "/v1/producers", { params: { query: { span } } });
  const bad = query.data?.producers.filter(({ malformed }) => malformed > 0).length ?? 0;
  return (
    <Panel
      title={bad === 0 ? "Producers" : `${counted(bad, "producer")} with malformed outputs`}
      aside={<span className={parts.quiet}>what each makes, by {span === "hour" ? "minute" : "hour"}</span>}
    >
      <Loaded query={query}>
        {({ producers }) => (
          <Table
            isCards
            label="Producers, the worst first"
            rows={producers}
            columns={COLUMNS}
            keyOf={(one) => `${one.agent} ${one.contract} ${one.model} ${one.prompt_version}`}
            empty={
              <p className={parts.quiet}>
                Nothing was made in the last {span === "hour" ? "hour: count over two days" : "two days"}.
              </p>
            }
          />
        )}
      </Loaded>
    </Panel>
  );
}
