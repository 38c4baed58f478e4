import { $api } from "../../data/api.ts";
import type { Answer } from "../../data/api.ts";
import { GroupLink, isAttached } from "../../parts/links.tsx";
import { Badge, Empty, Facts, Loaded, Page, Panel, When } from "../../parts/page.tsx";
import { amount, TablePanel, Trend } from "../../parts/table.tsx";
import type { Columns } from "../../parts/table.tsx";
import { counted, money, percent } from "../../parts/text.ts";
import { AgentCosts } from "./agents.tsx";
import styles from "./cost.module.css";

const [GROUPS_READ, GROUPS_SHOWN] = [200, 50];
/** What the next call is set aside for would pass the limit, as a rule, from here on. */
const SPENT_SHARE = 0.95;

const isCostly = ({ cost }: { readonly cost: number }): boolean => cost > 0;

/**
 * Costs of agents' model calls and of repairs in USD: this hour and the last day, what limits hold back, by
 * agent and by group.
 */
export function Cost() {
  const costs = $api.useQuery("get", "/v1/ward/costs");
  const groups = $api.useQuery("get", "/v1/ward/groups", {
    params: { query: { sort: "cost", limit: GROUPS_READ } },
  });
  return (
    <Page title="Cost">
      <AgentCosts />
      <Loaded query={costs}>
        {({ hours, this_hour: spent, limits, held }) => (
          <Panel title="Repairs" aside={held !== null && <Badge tone="warn">held back</Badge>}>
            {held !== null && (
              <p className={styles.held}>
                The limit holds back cases that need a model, {counted(held.refusals, "time")} since{" "}
                <When at={held.since_ms} />. They go on by themselves <When at={held.until_ms} />, or at once
                with a higher <code>SUTURE_SURGEON_COST_PER_HOUR</code> and a restart of the surgeon.
              </p>
            )}
            <p className={styles.now}>
              <b>{money(spent)}</b> of {money(limits.cost_per_hour)} this hour
            </p>
            <Facts
              of={[
                ["Last 24 hours", money(hours.reduce((sum, one) => sum + one, 0))],
                [
                  "By hour",
                  <Trend
                    key="hours"
                    counts={hours}
                    say={money}
                    label={`Cost by hour: ${hours.map(money).join(", ")}`}
                  />,
                ],
                ["A case may cost", money(limits.cost_per_case)],
                ["A group may cost", money(limits.cost_per_group)],
              ]}
            />
          </Panel>
        )}
      </Loaded>
      <Loaded query={groups}>
        {(page) => <Shares groups={page.groups} limit={costs.data?.limits.cost_per_group ?? Infinity} />}
      </Loaded>
    </Page>
  );
}

type Group = Answer<"/v1/ward/groups">["groups"][number];

/** Returns the agent of a group, or the attached queue. */
const agentOf = ({ fingerprint }: Group): string =>
  isAttached(fingerprint) ? fingerprint.split(":", 2).join(":") : fingerprint.replace(/\/.*/s, "");

const AMOUNTS: Columns<{ readonly count: number; readonly cost: number }> = {
  Messages: amount(({ count }) => count),
  Cost: amount(({ cost }) => money(cost)),
};

function Shares({ groups, limit }: { readonly groups: readonly Group[]; readonly limit: number }) {
  const costly = groups.filter(isCostly);
  const agents = [...Map.groupBy(costly, agentOf)].map(([agent, of]) => ({
    agent,
    cost: of.reduce((sum, { cost }) => sum + cost, 0),
    count: of.reduce((sum, { count }) => sum + count, 0),
  }));
  if (costly.length === 0)
    return (
      <Empty title="No group has cost anything.">
        Recipes and first aid repair without a model; only what these cannot heal costs money.
      </Empty>
    );
  const isSpent = ({ cost }: Group): boolean => cost >= limit * SPENT_SHARE;
  return (
    <div className={styles.shares}>
      <TablePanel
        title="By agent"
        rows={agents.toSorted((a, b) => b.cost - a.cost)}
        keyOf={({ agent }) => agent}
        columns={{ Agent: ({ agent }) => agent, ...AMOUNTS }}
      />
      <TablePanel
        title={costly.length > GROUPS_SHOWN ? `By group, the ${GROUPS_SHOWN} dearest` : "By group"}
        rows={costly.slice(0, GROUPS_SHOWN)}
        keyOf={({ fingerprint }) => fingerprint}
        columns={{
          Group: (group) => <GroupLink of={group} />,
          ...AMOUNTS,
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
