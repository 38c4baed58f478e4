import { Link } from "@tanstack/react-router";
import { $api, useRole } from "../../data/api.ts";
import { GroupName, Unsealed } from "../../parts/links.tsx";
import { Badge, Failed, Page, When } from "../../parts/page.tsx";
import { amount, TablePanel, Trend } from "../../parts/table.tsx";
import { addUp, counted, money, sum } from "../../parts/text.ts";
import { groupNeeds, kindOf, systemNeeds, workNeeds } from "./needs.ts";
import type { Group, Need } from "./needs.ts";
import styles from "./home.module.css";

const GROUPS_SHOWN = 12;
const GROUPS_READ = 200;
const DAY_HOURS = 24;

/** What needs somebody now, each with the place where it is done, and how the last hour and day went. */
export function Home() {
  const groups = $api.useQuery("get", "/v1/ward/groups", {
    params: { query: { sort: "need", limit: GROUPS_READ } },
  });
  const overview = $api.useQuery("get", "/v1/overview");
  const applies = $api.useQuery("get", "/v1/ward/applies");
  const ofGroups = groupNeeds(groups.data?.groups ?? []);
  // All at once: what comes later would push down what somebody reads.
  const isKnown = [groups, overview, applies].every(({ isPending }) => !isPending);
  const all = [
    ...(overview.data === undefined ? [] : systemNeeds(overview.data)),
    ...workNeeds(applies.data?.applies ?? []),
    ...ofGroups.slice(0, GROUPS_SHOWN),
  ];
  const needs = isKnown ? all : [];
  const left = Math.max(0, ofGroups.length - GROUPS_SHOWN);
  const count = needs.length + left;
  const failed = [groups, overview].find(({ data, error }) => data === undefined && error !== null);
  const sentence = `${count === 0 ? "Nothing needs" : counted(count, "thing needs", "things need")} you`;
  return (
    <Page title="Home">
      <section className={styles.needs} aria-label="What needs you">
        <h2 className={styles.sentence}>{isKnown && failed === undefined ? sentence : "…"}</h2>
        {failed !== undefined && <Failed error={failed.error} />}
        {isKnown && failed === undefined && count === 0 && (
          <p>No case waits for a decision, and every agent has a process.</p>
        )}
        <ul>
          {needs.map((need) => (
            <Item key={`${need.of} ${JSON.stringify(need.to)} ${need.since}`} need={need} />
          ))}
        </ul>
        {isKnown && left > 0 && <Link to="/inbox">and {counted(left, "more group")}</Link>}
      </section>
      {isKnown && <Numbers groups={groups.data?.groups ?? []} />}
    </Page>
  );
}

function Item({ need }: { readonly need: Need }) {
  const { group, what, since, to } = need;
  const { tone, kind, action } = kindOf(need);
  const role = useRole();
  return (
    <li className={styles.need}>
      <span>
        <Badge tone={tone}>{kind}</Badge>
      </span>
      <span className={styles.what}>
        {group !== undefined && (
          <Link {...to}>
            <GroupName of={group} /> <Unsealed id={group.fingerprint} />
          </Link>
        )}
        <span className={group === undefined ? "" : styles.quiet}>{what}</span>
      </span>
      <span className={styles.since}>{since !== undefined && <When at={since} />}</span>
      <span className={styles.action}>
        <Link {...to}>{role === "viewer" ? "Look at it" : action}</Link>
      </span>
    </li>
  );
}

const whole = (count: number): string => count.toLocaleString("en");

/** The last hour and day in numbers, and the runs that went well in all. */
function Numbers({ groups }: { readonly groups: readonly Group[] }) {
  const { data: { equation, ward } = {} } = $api.useQuery("get", "/v1/overview");
  const { data: costs } = $api.useQuery("get", "/v1/ward/costs");
  const { data: rates } = $api.useQuery("get", "/v1/producers", { params: { query: { span: "two_days" } } });
  const { data: paid } = $api.useQuery("get", "/v1/costs", { params: { query: { span: "two_days" } } });
  const made = (rates?.producers ?? []).map(({ trend }) => trend);
  const day = (lists: readonly (readonly number[])[]) => addUp(lists, DAY_HOURS);
  const rows = [
    { name: "Messages", to: "/flow", say: whole, trend: day(made.map(({ outputs }) => outputs)) },
    { name: "Malformed", to: "/flow", say: whole, trend: day(made.map(({ malformed }) => malformed)) },
    { name: "Failures", to: "/inbox", say: whole, trend: day(groups.map(({ trend }) => trend)) },
    { name: "Models", to: "/cost", say: money, trend: day((paid?.costs ?? []).map(({ trend }) => trend)) },
    { name: "Repairs", to: "/cost", say: money, trend: costs?.hours ?? [] },
  ] as const;
  const healed = (ward?.discharged ?? 0) + (ward?.released ?? 0);
  return (
    <TablePanel
      title="The last hour and day"
      rows={rows}
      keyOf={({ name }) => name}
      columns={{
        What: ({ name, to }) => <Link to={to}>{name}</Link>,
        "This hour": amount(({ say, trend }: (typeof rows)[number]) => say(trend.at(-1) ?? 0)),
        "24 hours": amount(({ say, trend }: (typeof rows)[number]) => say(sum(trend))),
        "By hour": ({ name, trend }) => <Trend counts={trend} label={`${name} by hour`} />,
      }}
    >
      <p className={styles.numbers}>
        In all: {counted(equation?.waiting ?? 0, "run")} under way, {whole(equation?.completed ?? 0)}{" "}
        completed, {whole(equation?.failed ?? 0)} failed; {counted(healed, "case")} healed and sent on.
      </p>
    </TablePanel>
  );
}
