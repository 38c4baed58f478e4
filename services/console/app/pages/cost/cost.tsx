import type { Answer } from "../../data/answers.ts";
import { $api } from "../../data/api.ts";
import { counted, money } from "../../parts/amounts.ts";
import { Badge } from "../../parts/badge.tsx";
import { isAttached } from "../../parts/group-name.tsx";
import { GroupLink } from "../../parts/links.tsx";
import { Facts, Page, Panel } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { TablePanel } from "../../parts/table.tsx";
import { useNow, When } from "../../parts/when.tsx";
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
          </Panel>
        )}
      </Loaded>
      <Loaded query={groups}>
        {(page) => <Shares groups={page.groups} limit={costs.data?.limits.cost_per_group ?? null} />}
      </Loaded>
    </Page>
  );
}

type Group = Answer<"/v1/ward/groups">["groups"][number];

function Shares({ groups, limit }: { readonly groups: readonly Group[]; readonly limit: number | null }) {
  const costly = groups.filter(({ cost }) => cost > 0);
  const agents = Map.groupBy(costly, ({ fingerprint }) =>
    isAttached(fingerprint) ? fingerprint.split(":").slice(0, 2).join(":") : fingerprint.split("/")[0],
  );
  const sums = [...agents].map(([agent = "", of]) => ({
    agent,
    cost: of.reduce((sum, { cost }) => sum + cost, 0),
    count: of.reduce((sum, { count }) => sum + count, 0),
  }));
  if (costly.length === 0)
    return (
      <Empty title="No group has cost anything.">
        <p>Recipes and first aid repair without a model; only what these cannot heal costs money.</p>
      </Empty>
    );
  return (
    <div className={styles.shares}>
      <TablePanel
        title="By agent"
        rows={sums.toSorted((a, b) => b.cost - a.cost)}
        keyOf={({ agent }) => agent}
        columns={[
          { name: "Agent", cell: ({ agent }) => agent },
          { name: "Messages", cell: ({ count }) => count.toLocaleString("en"), isNumeric: true },
          { name: "Cost", cell: ({ cost }) => money(cost), isNumeric: true },
        ]}
      />
      <TablePanel
        title={costly.length > GROUPS_SHOWN ? `By group, the ${GROUPS_SHOWN} dearest` : "By group"}
        rows={costly.slice(0, GROUPS_SHOWN)}
        keyOf={({ fingerprint }) => fingerprint}
        columns={[
          { name: "Group", cell: (group) => <GroupLink of={group} /> },
          { name: "Messages", cell: ({ count }) => count.toLocaleString("en"), isNumeric: true },
          { name: "A message", cell: ({ cost, count }) => money(cost / Math.max(1, count)), isNumeric: true },
          { name: "Cost", cell: ({ cost }) => money(cost), isNumeric: true },
          {
            name: "Limit",
            cell: ({ cost }) =>
              limit !== null && cost >= limit * SPENT_SHARE ? (
                <span title="Its cases wait for a person: no model is asked any more.">
                  <Badge tone="warn">spent</Badge>
                </span>
              ) : (
                limit !== null && `${Math.round((100 * cost) / limit)} %`
              ),
            isNumeric: true,
          },
        ]}
      />
    </div>
  );
}

const HOUR_MS = 3_600_000;
const time = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

/** A bar for each hour, the current one last, with its amount on hover and for who does not see it. */
function Hours({ amounts }: { readonly amounts: readonly number[] }) {
  const now = Math.floor(useNow() / HOUR_MS) * HOUR_MS;
  const most = Math.max(0.000001, ...amounts);
  const startOf = (index: number): string => time.format(now - (amounts.length - 1 - index) * HOUR_MS);
  return (
    <figure className={styles.hours}>
      <ol aria-label="Cost by hour">
        {amounts.map((amount, index) => (
          <li key={startOf(index)} title={`${startOf(index)}: ${money(amount)}`}>
            <span className={styles.bar} style={{ height: `${Math.max(2, (100 * amount) / most)}%` }} />
            <span className={styles.hidden}>
              {startOf(index)}: {money(amount)}
            </span>
          </li>
        ))}
      </ol>
      <figcaption>
        <span>{startOf(0)}</span>
        <span>most in an hour: {money(Math.max(0, ...amounts))}</span>
        <span>now</span>
      </figcaption>
    </figure>
  );
}
