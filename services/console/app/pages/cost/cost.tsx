import { Link } from "@tanstack/react-router";
import { $api } from "../../data/api.ts";
import { counted, money } from "../../parts/amounts.ts";
import { Badge } from "../../parts/badge.tsx";
import { Facts } from "../../parts/facts.tsx";
import { GroupName, isAttached } from "../../parts/group-name.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import { When } from "../../parts/when.tsx";
import { Hours } from "./hours.tsx";
import styles from "./cost.module.css";

const GROUPS_READ = 200;
const GROUPS_SHOWN = 50;
/** What the next call is set aside for would pass the limit, as a rule, from here on. */
const SPENT_SHARE = 0.95;

/** What repairs cost in USD: this hour and the last day, what limits hold back, by agent and by group. */
export function Cost() {
  const costs = $api.useQuery("get", "/v1/ward/costs");
  const groups = $api.useQuery("get", "/v1/ward/groups", {
    params: { query: { sort: "cost", limit: GROUPS_READ } },
  });
  return (
    <Page title="Cost">
      <Loaded query={costs}>
        {({ hours, this_hour: spent, left_this_hour: left, limits, held }) => (
          <Panel title="Repairs" aside={held !== null && <Badge tone="warn">held back</Badge>}>
            {held !== null && (
              <p className={styles.held}>
                The limit of {money(limits.cost_per_hour)} an hour holds cases back that need a model,{" "}
                {counted(held.refusals, "time")} since <When at={held.since_ms} />. They go on by themselves{" "}
                <When at={held.until_ms} />; recipes and first aid cost nothing and go on. To let models go on
                now, raise <code>SUTURE_SURGEON_COST_PER_HOUR</code> and restart the surgeon.
              </p>
            )}
            <p className={styles.now}>
              <b>{money(spent)}</b> of {money(limits.cost_per_hour)} this hour
            </p>
            <meter
              className={styles.meter}
              min={0}
              max={Math.max(limits.cost_per_hour, 0.000001)}
              high={limits.cost_per_hour * 0.8}
              value={Math.min(spent, limits.cost_per_hour)}
              aria-label="Spent of this hour’s money"
            />
            <Facts
              of={[
                ["Left this hour", money(left)],
                ["Last 24 hours", money(hours.reduce((sum, one) => sum + one, 0))],
                ["A case may cost", money(limits.cost_per_case)],
                ["A group may cost", money(limits.cost_per_group)],
              ]}
            />
            <Hours amounts={hours} />
            <p className={styles.quiet}>
              A case or a group that has cost what it may waits for a person; what the hour may cost only
              makes cases wait.
            </p>
          </Panel>
        )}
      </Loaded>
      <Loaded query={groups}>
        {(page) => <Shares groups={page.groups} limit={costs.data?.limits.cost_per_group ?? null} />}
      </Loaded>
    </Page>
  );
}

interface Costly {
  readonly fingerprint: string;
  readonly cause: readonly string[];
  readonly count: number;
  readonly quarantined: number;
  readonly cost: number;
}

function Shares({ groups, limit }: { readonly groups: readonly Costly[]; readonly limit: number | null }) {
  const costly = groups.filter(({ cost }) => cost > 0);
  if (costly.length === 0)
    return (
      <Panel title="By group">
        <Empty title="No group has cost anything.">
          <p>Recipes and first aid repair without a model; only what these cannot heal costs money.</p>
        </Empty>
      </Panel>
    );
  return (
    <div className={styles.shares}>
      <Panel title="By agent">
        <Table
          label="Cost by agent"
          rows={byAgent(costly)}
          keyOf={({ agent }) => agent}
          empty={null}
          columns={[
            { name: "Agent", cell: ({ agent }) => agent },
            { name: "Messages", cell: ({ count }) => count.toLocaleString("en"), isNumeric: true },
            { name: "Cost", cell: ({ cost }) => money(cost), isNumeric: true },
          ]}
        />
      </Panel>
      <Panel title={costly.length > GROUPS_SHOWN ? `By group, the ${GROUPS_SHOWN} dearest` : "By group"}>
        <Table
          label="Cost by group"
          rows={costly.slice(0, GROUPS_SHOWN)}
          keyOf={({ fingerprint }) => fingerprint}
          empty={null}
          columns={[
            {
              name: "Group",
              cell: (group) => (
                <Link to="/inbox/group/$fingerprint" params={{ fingerprint: group.fingerprint }}>
                  <GroupName of={group} />
                </Link>
              ),
            },
            { name: "Messages", cell: ({ count }) => count.toLocaleString("en"), isNumeric: true },
            {
              name: "A message",
              cell: ({ cost, count }) => money(cost / Math.max(1, count)),
              isNumeric: true,
            },
            { name: "Cost", cell: ({ cost }) => money(cost), isNumeric: true },
            {
              name: "Limit",
              cell: ({ cost }) =>
                limit !== null && cost >= limit * SPENT_SHARE ? (
                  <span title="Its cases wait for a person: no model is asked any more.">
                    <Badge tone="warn">spent</Badge>
                  </span>
                ) : (
                  <span className={styles.quiet}>
                    {limit === null ? "" : `${Math.round((100 * cost) / limit)} %`}
                  </span>
                ),
              isNumeric: true,
            },
          ]}
        />
      </Panel>
    </div>
  );
}

/** Adds up groups by the agent that their fingerprint begins with. */
function byAgent(groups: readonly Costly[]): { agent: string; cost: number; count: number }[] {
  const agents = new Map<string, { agent: string; cost: number; count: number }>();
  for (const { fingerprint, cost, count } of groups) {
    const agent = isAttached(fingerprint)
      ? fingerprint.split(":").slice(0, 2).join(":")
      : (fingerprint.split("/")[0] ?? "");
    const known = agents.get(agent) ?? { agent, cost: 0, count: 0 };
    agents.set(agent, { agent, cost: known.cost + cost, count: known.count + count });
  }
  return [...agents.values()].toSorted((a, b) => b.cost - a.cost);
}
