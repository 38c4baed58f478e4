import { $api } from "../../data/api.ts";
import { counted } from "../../parts/amounts.ts";
import { Badge } from "../../parts/badge.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { TablePanel } from "../../parts/table.tsx";
import { THEMES, useTheme } from "../../parts/theme.ts";
import { Keys } from "./keys.tsx";
import styles from "./settings.module.css";

const ROLES = {
  viewer: "Looks at everything; sees no instructions of agents and changes nothing.",
  operator: "Also decides on cases and groups, pauses queues, and tries recipes.",
  admin:
    "Also approves, edits and retires recipes, makes keys, reveals masked fields, and sees refused attempts.",
};

/** Who you are and may be, how it looks, the teams that are served, and the API keys. */
export function Settings() {
  const session = $api.useQuery("get", "/v1/session");
  const [theme, setTheme] = useTheme();
  return (
    <Page title="Settings">
      <div className={styles.columns}>
        <Panel title="You">
          <Loaded query={session}>
            {({ name, role }) => (
              <>
                <p className={styles.who}>
                  <b>{name}</b> <Badge tone="accent">{role}</Badge>
                </p>
                <dl className={styles.roles}>
                  {Object.entries(ROLES).map(([one, may]) => (
                    <div key={one} data-yours={one === role}>
                      <dt>{one}</dt>
                      <dd>{may}</dd>
                    </div>
                  ))}
                </dl>
              </>
            )}
          </Loaded>
        </Panel>
        <Panel title="Theme of this browser">
          <div role="radiogroup" aria-label="Theme" className={styles.themes}>
            {THEMES.map((one) => (
              <label key={one}>
                <input type="radio" name="theme" checked={theme === one} onChange={() => setTheme(one)} />
                {one}
              </label>
            ))}
          </div>
        </Panel>
      </div>
      {session.data?.role === "admin" && <Keys />}
      <Teams />
    </Page>
  );
}

function Teams() {
  const { data } = $api.useQuery("get", "/v1/overview");
  const teams = Map.groupBy(data?.agents ?? [], ({ team }) => team);
  return (
    <TablePanel
      title={data === undefined ? "Teams" : counted(teams.size, "team")}
      rows={[...teams]}
      keyOf={([team]) => team}
      empty={
        <Empty title="No team is declared or at work.">
          <p>
            <code>npx suture init</code> begins one.
          </p>
        </Empty>
      }
      columns={[
        { name: "Team", cell: ([team]) => <b>{team}</b> },
        {
          name: "Processes",
          cell: ([, agents]) => agents.reduce((sum, { live }) => sum + live.length, 0),
          isNumeric: true,
        },
        {
          name: "Agents",
          cell: ([, agents]) => (
            <span className={styles.names}>{agents.map(({ agent }) => agent).join(", ")}</span>
          ),
        },
      ]}
    />
  );
}
