import { $api } from "../../data/api.ts";
import type { Answer } from "../../data/api.ts";
import { Choice, useAsked } from "../../parts/filters.tsx";
import { amount, TablePanel, Trend } from "../../parts/table.tsx";
import type { Columns } from "../../parts/table.tsx";
import { money } from "../../parts/text.ts";
import parts from "../../parts/parts.module.css";

type Cost = Answer<"/v1/costs">["costs"][number];

const DIMENSIONS = ["agent", "model", "tenant"] as const;
const SPANS = ["hour", "month"] as const;

type Share = ReturnType<typeof addUp>[number];

const AMOUNTS: Columns<Share> = {
  Calls: amount(({ calls }) => calls),
  Tokens: amount(({ tokens }) => tokens),
  Cost: amount(({ cost }) => money(cost)),
  "Over time": ({ name, trend }) => <Trend counts={trend} label={`Cost of ${name} over time`} say={money} />,
};

/** Adds up costs that have the same value of a dimension, the dearest first. */
function addUp(costs: readonly Cost[], by: "team" | (typeof DIMENSIONS)[number]) {
  const shares = [...Map.groupBy(costs, (one) => one[by])].map(([name, of]) => ({
    name,
    calls: of.reduce((sum, { calls }) => sum + calls, 0),
    tokens: of.reduce((sum, { tokens }) => sum + tokens, 0),
    cost: of.reduce((sum, { cost }) => sum + cost, 0),
    trend: (of[0]?.trend ?? []).map((_, place) =>
      of.reduce((sum, { trend }) => sum + (trend[place] ?? 0), 0),
    ),
  }));
  return shares.toSorted((a, b) => b.cost - a.cost);
}

/** Costs of agents' model calls: by team, agent, model or tenant, over an hour, two days or a month. */
export function AgentCosts() {
  const [asked] = useAsked();
  const by = DIMENSIONS.find((one) => one === asked["by"]) ?? "team";
  const span = SPANS.find((one) => one === asked["span"]) ?? "two_days";
  const query = $api.useQuery("get", "/v1/costs", { params: { query: { span } } });
  const costs = query.data?.costs ?? [];
  return (
    <TablePanel
      title={`Agents: ${money(costs.reduce((sum, { cost }) => sum + cost, 0))}`}
      query={query}
      rows={addUp(costs, by)}
      keyOf={({ name }) => name}
      empty={<p>No agent has asked a model in this time.</p>}
      columns={{ [by.replace(/^./, (first) => first.toUpperCase())]: ({ name }) => name, ...AMOUNTS }}
    >
      <div className={parts.filters}>
        <Choice name="by" label="By" options={DIMENSIONS} none="team" />
        <Choice name="span" label="Over" options={SPANS} none="two days" />
      </div>
    </TablePanel>
  );
}
