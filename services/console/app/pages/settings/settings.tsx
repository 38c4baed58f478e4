import { useState } from "react";
import type { operations } from "#shared/api/client";
import { visible } from "#shared/json";
import { $api, api, useRole } from "../../data/api.ts";
import type { Answer } from "../../data/api.ts";
import { Badge, Button, Facts, Id, Page, Panel, Status, When } from "../../parts/page.tsx";
import { AskWhy, ReasonForm } from "../../parts/reason-form.tsx";
import type { Field, Given } from "../../parts/reason-form.tsx";
import { TablePanel } from "../../parts/table.tsx";
import type { Columns } from "../../parts/table.tsx";
import { setTheme, themeNow, THEMES } from "../../data/shared.ts";
import { money, words } from "../../parts/text.ts";
import { Doctor } from "./doctor.tsx";
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

/** Your own role, the look of the pages, limits of repairs, receivers of webhooks, and the API keys. */
export function Settings() {
  const session = $api.useQuery("get", "/v1/session");
  const { data: overview } = $api.useQuery("get", "/v1/overview");
  const role = useRole();
  const limits = Object.entries(overview?.surgery_limits ?? {}).map(([name, usd]) => [
    words(name),
    money(usd),
  ]);
  return (
    <Page title="Settings">
      <Panel title="You">
        <p className={styles.who}>
          <b>{session.data?.name}</b> <Badge tone="accent">{role}</Badge>
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
      <Panel title="Limits of repairs">
        <Facts of={Object.fromEntries(limits)} />
      </Panel>
      {role !== "viewer" && <Webhooks isAdmin={role === "admin"} />}
      {role === "admin" && <Keys />}
      {role === "admin" && <Doctor />}
    </Page>
  );
}

type Receiver = Answer<"/v1/webhooks">["receivers"][number];
type Delivery = Receiver["deliveries"][number] & { readonly host: string };

const TRIES: Columns<Delivery> = {
  When: ({ at_ms: at }) => <When at={at} />,
  To: ({ host }) => host,
  Event: ({ type }) => type,
  Try: ({ attempts }) => attempts,
  Outcome: ({ outcome, error }) => (
    <>
      <Status of={outcome} /> {error !== null && visible(error)}
    </>
  ),
};

/** Receivers of webhooks, what they took and what waits for them. */
function Webhooks({ isAdmin }: { readonly isAdmin: boolean }) {
  const query = $api.useQuery("get", "/v1/webhooks");
  const { receivers = [], dropped = 0 } = query.data ?? {};
  const tries = receivers.flatMap(({ host, deliveries }) => deliveries.map((one) => ({ ...one, host })));
  return (
    <TablePanel
      title="Webhooks"
      aside={
        dropped > 0 && <Badge tone="bad">{dropped.toLocaleString("en")} dropped: a queue was full</Badge>
      }
      query={query}
      rows={tries.toSorted((a, b) => b.at_ms - a.at_ms)}
      keyOf={({ host, id, attempts }) => `${host} ${id} ${attempts}`}
      columns={TRIES}
      empty={
        receivers.length === 0
          ? "No surgeon at work has a receiver: SUTURE_WEBHOOKS of the surgeon names them."
          : "Nothing was sent yet. Each try of the last week stands here, 50 at most of a receiver."
      }
    >
      {receivers.map((one) => (
        <OneReceiver key={one.receiver} of={one} isAdmin={isAdmin} />
      ))}
    </TablePanel>
  );
}

/** The events of a receiver, what waits for it, and a test. */
function OneReceiver({ of, isAdmin }: { readonly of: Receiver; readonly isAdmin: boolean }) {
  const { receiver, host, events, waiting, next } = of;
  const [said, setSaid] = useState("");
  const test = async (why: string): Promise<void> => {
    const params = { path: { receiver } };
    const { data } = await api.POST("/v1/webhooks/{receiver}/test", { params, body: { why } });
    const { outcome, error } = data?.delivery ?? { outcome: "no surgeon sent it in time", error: null };
    setSaid(`Test: ${words(outcome)}. ${error ?? ""}`);
  };
  return (
    <div className={parts.buttons}>
      <span>
        <b>{host}</b>: {events?.join(", ") ?? "all events"}. {waiting.toLocaleString("en")} waiting
        {next.map(({ id, type, attempts, due_ms: due }) => (
          <span key={id}>
            ; {type} after {attempts} tries, next <When at={due} />
          </span>
        ))}
        .
      </span>
      {isAdmin && (
        <AskWhy title={`Test ${host}`} send={test}>
          The surgeon sends one event of the type webhook.test, once.
        </AskWhy>
      )}
      <span role="status">{visible(said)}</span>
    </div>
  );
}

/** Limits of a key by their names in the API, and where the API says how much of them is used. */
const QUOTAS = [
  { name: "requests_per_minute", label: "Requests a minute", use: null },
  { name: "running_runs", label: "Running runs", use: "running_runs" },
  { name: "waiting_runs", label: "Waiting runs", use: "waiting_runs" },
  { name: "cost_per_day", label: "USD a day", use: "cost_today" },
] as const;

/** Returns the limits of a key, each with what is used of it. */
const limitsOf = (key: Key) =>
  QUOTAS.map(({ name, label, use }) => {
    const most = key.quotas[name];
    const used = use && key.use?.[use];
    const said = [used, most].flatMap((one) => one?.toLocaleString("en") ?? []).join(" of ");
    return most === undefined ? null : (
      <div key={name} className={(used ?? 0) >= most ? parts.bad : ""}>
        {label}: {said}
      </div>
    );
  });

const COLUMNS: Columns<Key> = {
  Name: ({ name }) => <b>{name}</b>,
  Scope: ({ scope }) => <Badge>{scope}</Badge>,
  Teams: ({ teams }) => teams?.join(", ") ?? "all",
  Limits: (key) => <div>{limitsOf(key)}</div>,
  Expires: ({ expires_at: at, is_expired: isExpired }) => (
    <span className={isExpired ? parts.bad : ""}>{at === null ? "never" : <When at={at} />}</span>
  ),
  Made: (key) => <When at={key.created_at} by={key.created_by} />,
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
        empty="No key was made here. Make one below for each program or person."
      />
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
  const ofTeams = teams.map((team) => ({ name: `team ${team}`, label: `team ${team}`, type: "checkbox" }));
  const [made, setMade] = useState<{ name: string; secret: string } | null>(null);
  const send = async (why: string, given: Given): Promise<void> => {
    const chosen = teams.filter((team) => given[`team ${team}`]);
    const limits = QUOTAS.filter(({ name }) => given[name] !== undefined);
    const body = {
      name: String(given["name"]),
      // The options of the field are the scopes.
      scope: given["scope"] as Scope,
      tenant: String(given["tenant"]),
      teams: chosen.length === 0 ? null : chosen,
      expires_at: given["expires_at"] === undefined ? null : `${given["expires_at"]}:00Z`,
      quotas: Object.fromEntries(limits.map(({ name }) => [name, Number(given[name])])),
      why,
    };
    const { data } = await api.POST("/v1/api-keys", { body });
    setMade(data ?? null);
  };
  return (
    <Panel title="Make a key">
      {made !== null && (
        <div className={styles.secret} role="status">
          <b>The secret of {made.name}.</b> It is shown once and kept nowhere.
          <input className={parts.input} readOnly value={made.secret} aria-label={`Secret of ${made.name}`} />
          <Id of={made.secret} />
          <Button onClick={() => setMade(null)}>I have kept it</Button>
        </div>
      )}
      <ReasonForm title="Make the key" needsWhy={false} fields={[...FIELDS, ...ofTeams]} send={send} />
      <p className={parts.quiet}>
        It works at once. A key of no team is one of all teams. Configured keys are not listed here.
      </p>
    </Panel>
  );
}
