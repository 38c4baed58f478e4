import { $api } from "../../data/api.ts";
import { counted } from "../../parts/amounts.ts";
import { Badge } from "../../parts/badge.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import { THEMES, useTheme } from "../../parts/theme.ts";
import { Keys } from "./keys.tsx";
import { MakeKey } from "./make-key.tsx";
import styles from "./settings.module.css";

const ROLES = {
  viewer: "Looks at everything; sees no instructions of agents and changes nothing.",
  operator: "Also decides on cases and groups, pauses queues, and tries recipes.",
  admin:
    "Also approves, edits and retires recipes, makes keys, reveals masked fields, and sees refused attempts.",
} as const;

const THEME_WORDS = { system: "As the system", light: "Light", dark: "Dark" } as const;

/** Who you are and may be, how it looks, the teams that are served, and the API keys. */
export function Settings() {
  const session = $api.useQuery("get", "/v1/session");
  const [theme, setTheme] = useTheme();
  const isAdmin = session.data?.role === "admin";
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
                  {(Object.keys(ROLES) as (keyof typeof ROLES)[]).map((one) => (
                    <div key={one} data-yours={one === role}>
                      <dt>{one}</dt>
                      <dd>{ROLES[one]}</dd>
                    </div>
                  ))}
                </dl>
              </>
            )}
          </Loaded>
        </Panel>
        <Panel title="Theme">
          <div role="radiogroup" aria-label="Theme" className={styles.themes}>
            {THEMES.map((one) => (
              <label key={one}>
                <input type="radio" name="theme" checked={theme === one} onChange={() => setTheme(one)} />
                {THEME_WORDS[one]}
              </label>
            ))}
          </div>
          <p className={styles.quiet}>Kept in this browser.</p>
        </Panel>
      </div>
      {isAdmin && (
        <>
          <Keys />
          <MakeKey />
        </>
      )}
      <Teams />
    </Page>
  );
}

function Teams() {
  const { data } = $api.useQuery("get", "/v1/overview");
  const teams = Map.groupBy(data?.agents ?? [], ({ team }) => team);
  return (
    <Panel title={data === undefined ? "Teams" : counted(teams.size, "team")}>
      <Table
        label="Teams"
        rows={[...teams]}
        isCards
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
          { name: "Agents", cell: ([, agents]) => agents.length, isNumeric: true },
          {
            name: "Processes",
            cell: ([, agents]) => agents.reduce((sum, { live }) => sum + live.length, 0),
            isNumeric: true,
          },
          {
            name: "Names",
            cell: ([, agents]) => (
              <span className={styles.names}>{agents.map(({ agent }) => agent).join(", ")}</span>
            ),
          },
        ]}
      />
    </Panel>
  );
}
