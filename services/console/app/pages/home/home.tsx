import { Link } from "@tanstack/react-router";
import { $api } from "../../data/api.ts";
import { Status } from "../../parts/badge.tsx";
import { counted, money } from "../../parts/amounts.ts";
import { Page, Panel } from "../../parts/page.tsx";
import { Loaded } from "../../parts/states.tsx";
import { Trend } from "../../parts/trend.tsx";
import { When } from "../../parts/when.tsx";
import styles from "./home.module.css";

/** What needs somebody now, and how the last day went. */
export function Home() {
  const groups = $api.useQuery("get", "/v1/ward/groups", { params: { query: { sort: "need", limit: 8 } } });
  const overview = $api.useQuery("get", "/v1/overview");
  const costs = $api.useQuery("get", "/v1/ward/costs");
  return (
    <Page title="Home">
      <Loaded query={groups}>
        {({ groups: found }) => {
          const needed = found.filter(
            ({ quarantined, attention }) => quarantined > 0 || attention === "regressed",
          );
          return (
            <Panel
              title={
                needed.length === 0 ? "Nothing needs you" : `${counted(needed.length, "thing")} need you`
              }
            >
              <ul className={styles.needs}>
                {needed.map((group) => (
                  <li key={group.fingerprint}>
                    <Status of={group.attention} />
                    <Link to="/inbox/group/$fingerprint" params={{ fingerprint: group.fingerprint }}>
                      {group.fingerprint}
                    </Link>
                    <span className={styles.quiet}>
                      {counted(group.quarantined, "case")} wait, the last one came{" "}
                      <When at={group.last_seen_ms} />
                    </span>
                    <Trend counts={group.trend} label="Messages an hour" />
                  </li>
                ))}
              </ul>
            </Panel>
          );
        }}
      </Loaded>
      <div className={styles.tiles}>
        <Loaded query={overview}>
          {({ equation, ward }) => (
            <>
              <Tile name="running" value={equation.waiting} />
              <Tile name="completed" value={equation.completed} />
              <Tile name="failed" value={equation.failed} />
              <Tile name="wait for a person" value={ward.quarantined} />
              {!equation.balanced && <p role="alert">The equation does not hold: {equation.lost} lost.</p>}
            </>
          )}
        </Loaded>
        <Loaded query={costs}>
          {({ this_hour: spent }) => <Tile name="repairs, this hour" value={money(spent)} />}
        </Loaded>
      </div>
    </Page>
  );
}

function Tile({ name, value }: { readonly name: string; readonly value: number | string }) {
  return (
    <div className={styles.tile}>
      <b>{typeof value === "number" ? value.toLocaleString("en") : value}</b>
      <span>{name}</span>
    </div>
  );
}
