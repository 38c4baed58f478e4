import { $api } from "../../data/api.ts";
import { counted } from "../../parts/amounts.ts";
import { Badge } from "../../parts/badge.tsx";
import { GroupName, Unsealed } from "../../parts/group-name.tsx";
import { Page } from "../../parts/page.tsx";
import { Place } from "../../parts/place.tsx";
import { Failed } from "../../parts/states.tsx";
import { When } from "../../parts/when.tsx";
import { groupNeeds, systemNeeds, workNeeds } from "./needs.ts";
import type { Need } from "./needs.ts";
import { Numbers } from "./numbers.tsx";
import styles from "./home.module.css";

const GROUPS_SHOWN = 12;
const GROUPS_READ = 200;

/** What needs somebody now, each with the place where it is done, and how the last hour and day went. */
export function Home() {
  const groups = $api.useQuery("get", "/v1/ward/groups", {
    params: { query: { sort: "need", limit: GROUPS_READ } },
  });
  const overview = $api.useQuery("get", "/v1/overview");
  const applies = $api.useQuery("get", "/v1/ward/applies");
  const { data: session } = $api.useQuery("get", "/v1/session");
  const ofGroups = groupNeeds(groups.data?.groups ?? []);
  const needs = [
    ...(overview.data === undefined ? [] : systemNeeds(overview.data)),
    ...workNeeds(applies.data?.applies ?? []),
    ...ofGroups.slice(0, GROUPS_SHOWN),
  ];
  const left = ofGroups.length - Math.min(ofGroups.length, GROUPS_SHOWN);
  const isKnown = groups.data !== undefined && overview.data !== undefined;
  const failed = [groups, overview].find(({ data, error }) => data === undefined && error !== null);
  return (
    <Page title="Home">
      <section className={styles.needs} aria-label="What needs you">
        <h2 className={styles.sentence}>{isKnown ? sentence(needs.length + left) : "…"}</h2>
        {failed !== undefined && (
          <Failed
            error={failed.error}
            onRetry={() => void Promise.all([groups.refetch(), overview.refetch()])}
          />
        )}
        {isKnown && needs.length === 0 && (
          <p className={styles.quiet}>
            No case waits for a decision, every agent has a process, and no model is away.
          </p>
        )}
        <ul>
          {needs.map((need) => (
            <Item key={need.key} need={need} canAct={session?.role !== "viewer"} />
          ))}
        </ul>
        {left > 0 && <Place to="inbox">{`and ${counted(left, "more group")}`}</Place>}
      </section>
      <Numbers groups={groups.data?.groups ?? []} />
    </Page>
  );
}

function sentence(count: number): string {
  return count === 0
    ? "Nothing needs you"
    : `${counted(count, "thing")} ${count === 1 ? "needs" : "need"} you`;
}

function Item({ need, canAct }: { readonly need: Need; readonly canAct: boolean }) {
  const { tone, kind, group, what, since, to, action } = need;
  return (
    <li className={styles.need}>
      <span>
        <Badge tone={tone}>{kind}</Badge>
      </span>
      <span className={styles.what}>
        {group !== undefined && (
          <Place to={to}>
            <GroupName of={group} /> <Unsealed id={group.fingerprint} />
          </Place>
        )}
        <span className={group === undefined ? "" : styles.quiet}>{what}</span>
      </span>
      <span className={styles.since}>{since !== null && <When at={since} />}</span>
      <span className={styles.action}>
        <Place to={to}>{canAct ? action : "Look at it"}</Place>
      </span>
    </li>
  );
}
