import { useState } from "react";
import type { operations } from "#shared/api/client";
import { $api, api } from "../../data/api.ts";
import type { Answer } from "../../data/api.ts";
import { Badge, Button, Empty, Facts, Id, Loaded, Page, Panel, When } from "../../parts/page.tsx";
import { AskWhy, ReasonForm } from "../../parts/reason-form.tsx";
import type { Field, Given } from "../../parts/reason-form.tsx";
import { TablePanel } from "../../parts/table.tsx";
import type { Columns } from "../../parts/table.tsx";
import { setTheme, themeNow, THEMES } from "../../data/shared.ts";
import { Limits, Webhooks } from "./webhooks.tsx";
import parts from "../../parts/parts.module.css";
import styles from "./settings.module.css";

type Key = Answer<"/v1/api-keys">["keys"][number];
type Scope = operations["createApiKey"]["requestBody"]["content"]["application/json"]["scope"];

const ROLES = {
  viewer: "Looks at everything; sees no instructions of agents and changes nothing.",
  operator: "Also decides on cases and groups, pauses queues, and tries recipes.",
  admin:
    "Also approves, edits and retires recipes, makes keys, reveals masked fields, and sees refused attempts.",
};

/** Your own role, the look of the pages, and the API keys. */
export function Settings() {
  const session = $api.useQuery("get", "/v1/session");
  return (
    <Page title="Settings">
      <Loaded query={session}>
        {({ name, role }) => (
          <Panel title="You">
            <p className={styles.who}>
              <b>{name}</b> <Badge tone="accent">{role}</Badge>
            </p>
            <Facts of={ROLES} />
            <label className={parts.filter}>
              <span>Theme of this browser</span>
              <select defaultValue={themeNow()} onChange={({ target }) => setTheme(target.value)}>
                {THEMES.map((one) => (
                  <option key={one}>{one}</option>
                ))}
              </select>
            </label>
          </Panel>
        )}
      </Loaded>
      <Limits />
      {session.data !== undefined && session.data.role !== "viewer" && (
        <Webhooks isAdmin={session.data.role === "admin"} />
      )}
      {session.data?.role === "admin" && <Keys />}
    </Page>
  );
}

/** Limits of a key by their names in the API, and where the API says how much of them is used. */
const QUOTAS = [
  { name: "requests_per_minute", label: "Requests a minute" },
  { name: "running_runs", label: "Running runs", used: "running_runs" },
  { name: "waiting_runs", label: "Waiting runs", used: "waiting_runs" },
  { name: "cost_per_day", label: "USD a day", used: "cost_today" },
] as const;

/** Returns the limits of a key, each with what is used of it. */
const limitsOf = ({ quotas, use }: Key) =>
  QUOTAS.flatMap(({ name, label, ...of }) => {
    const [most, used] = [quotas[name], "used" in of ? use?.[of.used] : undefined];
    if (most === undefined) return [];
    return (
      <div key={name} className={used !== undefined && used >= most ? parts.bad : ""}>
        {label}: {used !== undefined && `${used.toLocaleString("en")} of `}
        {most.toLocaleString("en")}
      </div>
    );
  });

const COLUMNS: Columns<Key> = {
  Name: ({ name }) => <b>{name}</b>,
  Scope: ({ scope }) => <Badge>{scope}</Badge>,
  Teams: ({ teams }) => teams?.join(", ") ?? "all",
  Limits: (key) => <div>{limitsOf(key)}</div>,
  Expires: ({ expires_at: at, is_expired: isExpired }) => (
    <span className={isExpired ? parts.bad : ""}>
      {isExpired && "expired "}
      {at === null ? "never" : <When at={at} />}
    </span>
  ),
  Made: (key) => (
    <span>
      <When at={key.created_at} /> by {key.created_by}
    </span>
  ),
  "": ({ name }) => (
    <AskWhy
      title={`Revoke ${name}`}
      tone="bad"
      send={(why) => api.POST("/v1/api-keys/{name}/revoke", { params: { path: { name } }, body: { why } })}
    >
      Every service refuses it within a second.
    </AskWhy>
  ),
};

/** Keys that were made here: whose they are, what they may do and use. An admin makes and revokes them. */
function Keys() {
  const query = $api.useQuery("get", "/v1/api-keys");
  return (
    <>
      <TablePanel
        title="API keys"
        query={query}
        rows={query.data?.keys ?? []}
        keyOf={({ name }) => name}
        columns={COLUMNS}
        empty={<Empty title="No key was made here.">Make one below for each program or person.</Empty>}
      >
        <p className={parts.quiet}>Keys made here work at once. Configured keys are not among them.</p>
      </TablePanel>
      <MakeKey teams={query.data?.teams ?? []} />
    </>
  );
}

const SCOPES = {
  submit: "submit: starts runs and sees its tenant’s",
  viewer: "viewer: looks at what its tenant owns",
  operator: "operator: staff, sees everything",
  admin: "admin: also makes keys",
};
const AMOUNT = { inputMode: "decimal", pattern: "[0-9]*[.]?[0-9]*", placeholder: "no limit" } as const;
const FIELDS: readonly Field[] = [
  { name: "name", label: "Name", required: true, maxLength: 64, placeholder: "shop" },
  { name: "scope", label: "Scope", options: SCOPES },
  { name: "tenant", label: "Tenant", required: true, defaultValue: "local", maxLength: 64 },
  { name: "expires_at", label: "Expires (UTC)", type: "datetime-local" },
  ...QUOTAS.map(({ name, label }) => ({ name, label, ...AMOUNT })),
];

/** Asks for a new key, and shows its secret until somebody says that they have kept it. */
function MakeKey({ teams }: { readonly teams: readonly string[] }) {
  const [made, setMade] = useState<{ name: string; secret: string } | null>(null);
  const [round, setRound] = useState(0);
  const send = async (why: string, given: Given): Promise<void> => {
    const chosen = teams.filter((team) => given[`team ${team}`]);
    const body = {
      name: String(given["name"]),
      // The options of the field are the scopes.
      scope: given["scope"] as Scope,
      tenant: String(given["tenant"]),
      teams: chosen.length === 0 ? null : chosen,
      expires_at: given["expires_at"] === undefined ? null : `${given["expires_at"]}:00Z`,
      quotas: Object.fromEntries(
        QUOTAS.flatMap(({ name }) => (given[name] === undefined ? [] : [[name, Number(given[name])]])),
      ),
      why,
    };
    const { data } = await api.POST("/v1/api-keys", { body });
    setMade(data ?? null);
    setRound(round + 1);
  };
  return (
    <Panel title="Make a key">
      {made !== null && (
        <div className={styles.secret} role="status">
          <b>The secret of {made.name}.</b> It is shown once and kept nowhere.
          <input
            className={parts.input}
            readOnly
            value={made.secret}
            aria-label={`Secret of ${made.name}`}
            onFocus={({ target }) => target.select()}
          />
          <Id of={made.secret} />
          <Button onClick={() => setMade(null)}>I have kept it</Button>
        </div>
      )}
      <ReasonForm
        key={round}
        title="Make the key"
        needsWhy={false}
        fields={[
          ...FIELDS,
          ...teams.map((team) => ({ name: `team ${team}`, label: `team ${team}`, type: "checkbox" })),
        ]}
        send={send}
        onCancel={() => setRound(round + 1)}
      />
      <p className={parts.quiet}>A key of no team is one of all teams.</p>
    </Panel>
  );
}
