import { $api } from "../../data/api.ts";
import type { Answer } from "../../data/api.ts";
import { Choice, useAsked } from "../../parts/filters.tsx";
import { GroupLink, isAttached } from "../../parts/links.tsx";
import { Badge, Facts, Loaded, Page, Panel, When } from "../../parts/page.tsx";
import { amount, TablePanel, Trend } from "../../parts/table.tsx";
import { addUp, counted, money, percent, sum } from "../../parts/text.ts";
import parts from "../../parts/parts.module.css";
import styles from "./cost.module.css";

const [GROUPS_READ, GROUPS_SHOWN] = [200, 50];
/** From this share of its limit on the amount that is set aside for the next call passes it, as a rule. */
const SPENT_SHARE = 0.95;
const DIMENSIONS = ["agent", "model", "tenant"] as const;
const SPANS = ["hour", "month"] as const;

/** Returns what was spent under each name, the dearest first. */
function sharesOf<One extends { readonly cost: number }>(all: readonly One[], nameOf: (one: One) => string) {
  const shares = [...Map.groupBy(all, nameOf)].map(([name, of]) => ({ name, of, cost: costOf(of) }));
  return shares.toSorted((a, b) => b.cost - a.cost);
}

const costOf = (all: readonly { readonly cost: number }[]): number => sum(all.map(({ cost }) => cost));

/**
 * Costs of agents' model calls and of repairs in USD: this hour and the last day, what limits hold back, by
 * agent and by group.
 */
export function Cost() {
  const costs = $api.useQuery("get", "/v1/ward/costs");
  return (
    <Page title="Cost">
      <AgentCosts />
      <Loaded query={costs}>{(data) => <Repairs of={data} />}</Loaded>
      <RepairsBy limit={costs.data?.limits.cost_per_group ?? Infinity} />
    </Page>
  );
}

/** Costs of agents' model calls: by team, agent, model or tenant, over an hour, two days or a month. */
function AgentCosts() {
  const [asked] = useAsked();
  const by = DIMENSIONS.find((one) => one === asked["by"]) ?? "team";
  const span = SPANS.find((one) => one === asked["span"]) ?? "two_days";
  const query = $api.useQuery("get", "/v1/costs", { params: { query: { span } } });
  const costs = query.data?.costs ?? [];
  type Share = ReturnType<typeof sharesOf<(typeof costs)[number]>>[number];
  return (
    <TablePanel
      title={`Agents: ${money(costOf(costs))}`}
      query={query}
      rows={sharesOf(costs, (one) => one[by])}
      keyOf={({ name }) => name}
      empty="No agent has asked a model in this time."
      columns={{
        [by.replace(/^./, (first) => first.toUpperCase())]: ({ name }) => name,
        Calls: amount(({ of }: Share) => sum(of.map(({ calls }) => calls))),
        Tokens: amount(({ of }: Share) => sum(of.map(({ tokens }) => tokens))),
        Cost: amount(({ cost }: Share) => money(cost)),
        "Over time": ({ name, of }) => (
          <Trend
            counts={addUp(of.map(({ trend }) => trend))}
            label={`Cost of ${name} over time`}
            say={money}
          />
        ),
      }}
    >
      <div className={parts.filters}>
        <Choice name="by" label="By" options={DIMENSIONS} none="team" />
        <Choice name="span" label="Over" options={SPANS} none="two days" />
      </div>
    </TablePanel>
  );
}

/** Costs of repairs, their limits, and what these hold back. */
function Repairs({ of }: { readonly of: Answer<"/v1/ward/costs"> }) {
  const { hours, this_hour: spent, limits, held } = of;
  const label = `Cost by hour: ${hours.map(money).join(", ")}`;
  return (
    <Panel title="Repairs" aside={held !== null && <Badge tone="warn">held back</Badge>}>
      {held !== null && (
        <p className={styles.held}>
          The limit holds back cases that need a model, {counted(held.refusals, "time")} since{" "}
          <When at={held.since_ms} />. They go on by themselves <When at={held.until_ms} />, or at once with a
          higher <code>SUTURE_SURGEON_COST_PER_HOUR</code> and a restart of the surgeon.
        </p>
      )}
      <p className={styles.now}>
        <b>{money(spent)}</b> of {money(limits.cost_per_hour)} this hour
      </p>
      <Facts
        of={{
          "Last 24 hours": money(sum(hours)),
          "By hour": <Trend counts={hours} say={money} label={label} />,
          "A case may cost": money(limits.cost_per_case),
          "A group may cost": money(limits.cost_per_group),
        }}
      />
    </Panel>
  );
}

type Group = Answer<"/v1/ward/groups">["groups"][number];

/** Returns the agent of a group, or the attached queue. */
const agentOf = ({ fingerprint }: Group): string =>
  isAttached(fingerprint) ? fingerprint.split(":", 2).join(":") : fingerprint.replace(/\/.*/s, "");

/** Costs of repairs by agent and by group. @param limit - The most that a group may cost, in USD. */
function RepairsBy({ limit }: { readonly limit: number }) {
  const query = $api.useQuery("get", "/v1/ward/groups", {
    params: { query: { sort: "cost", limit: GROUPS_READ } },
  });
  const costly = query.data?.groups.filter(({ cost }) => cost > 0) ?? [];
  const isSpent = ({ cost }: Group): boolean => cost >= limit * SPENT_SHARE;
  type Share = ReturnType<typeof sharesOf<Group>>[number];
  return (
    <div className={styles.shares}>
      <TablePanel
        title="By agent"
        query={query}
        rows={sharesOf(costly, agentOf)}
        keyOf={({ name }) => name}
        empty="None."
        columns={{
          Agent: ({ name }) => name,
          Messages: amount(({ of }: Share) => sum(of.map(({ count }) => count))),
          Cost: amount(({ cost }: Share) => money(cost)),
        }}
      />
      <TablePanel
        title={costly.length > GROUPS_SHOWN ? `By group, the ${GROUPS_SHOWN} dearest` : "By group"}
        query={query}
        rows={costly.slice(0, GROUPS_SHOWN)}
        keyOf={({ fingerprint }) => fingerprint}
        empty="No group has cost anything. Only what recipes and first aid cannot heal costs money."
        columns={{
          Group: (group) => <GroupLink of={group} />,
          Messages: amount(({ count }: Group) => count),
          Cost: amount(({ cost }: Group) => money(cost)),
          "Of its limit": amount((group: Group) => (
            <span title={isSpent(group) ? "Its cases wait for a person, not for a model." : ""}>
              {isSpent(group) ? <Badge tone="warn">spent</Badge> : percent(group.cost / limit)}
            </span>
          )),
        }}
      />
    </div>
  );
}
