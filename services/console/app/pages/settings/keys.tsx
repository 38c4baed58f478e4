import { useState } from "react";
import type { SubmitEvent } from "react";
import type { operations } from "#shared/api/client";
import type { Answer } from "../../data/answers.ts";
import { $api, api, Problem, readAgain } from "../../data/api.ts";
import { money } from "../../parts/amounts.ts";
import { AskWhy } from "../../parts/ask-why.tsx";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Panel } from "../../parts/page.tsx";
import { Empty, Faults, Loaded } from "../../parts/states.tsx";
import { TablePanel } from "../../parts/table.tsx";
import type { Column } from "../../parts/table.tsx";
import { When } from "../../parts/when.tsx";
import styles from "./settings.module.css";

type Key = Answer<"/v1/api-keys">["keys"][number];
type Body = operations["createApiKey"]["requestBody"]["content"]["application/json"];

const QUOTAS = [
  ["requests_per_minute", "Requests a minute"],
  ["running_runs", "Running runs"],
  ["waiting_runs", "Waiting runs"],
  ["cost_per_day", "USD a day"],
] as const;

const COLUMNS: readonly Column<Key>[] = [
  { name: "Name", cell: ({ name }) => <b>{name}</b> },
  { name: "Scope", cell: ({ scope }) => <Badge>{scope}</Badge> },
  { name: "Teams", cell: ({ teams }) => (teams === null ? "all" : teams.join(", ")) },
  { name: "Use", cell: (key) => <Use of={key} /> },
  {
    name: "Expires",
    cell: ({ expires_at: at, is_expired: isExpired }) => (
      <span className={isExpired ? styles.bad : ""}>
        {isExpired && "expired "}
        {at === null ? "never" : <When at={at} />}
      </span>
    ),
  },
  {
    name: "Made",
    cell: (key) => (
      <span className={styles.made}>
        <When at={key.created_at} /> by {key.created_by}
      </span>
    ),
  },
  { name: "", cell: ({ name }) => <Revoke name={name} /> },
];

function Use({ of: { quotas, use } }: { readonly of: Key }) {
  const limits = [
    [quotas.running_runs, use?.running_runs, "running", String],
    [quotas.waiting_runs, use?.waiting_runs, "waiting", String],
    [quotas.requests_per_minute, undefined, "requests a minute", String],
    [quotas.cost_per_day, use?.cost_today, "a day", money],
  ] as const;
  const lines = limits.map(([most, used, words, write]) =>
    most === undefined ? null : (
      <div key={words} className={used !== undefined && used >= most ? styles.bad : ""}>
        {used !== undefined && `${write(used)} of `}
        {write(most)} {words}
      </div>
    ),
  );
  return lines.some((line) => line !== null) ? lines : <span className={styles.quiet}>no limits</span>;
}

function Revoke({ name }: { readonly name: string }) {
  const send = async (why: string): Promise<void> => {
    await api.POST("/v1/api-keys/{name}/revoke", { params: { path: { name } }, body: { why } });
    await readAgain();
  };
  return (
    <AskWhy
      title={`Revoke ${name}`}
      tone="bad"
      opener="bad"
      says="Every service refuses it within a second."
      send={send}
    >
      Revoke …
    </AskWhy>
  );
}

/** Keys that were made here: whose they are, what they may do and use. An admin makes and revokes them. */
export function Keys() {
  const query = $api.useQuery("get", "/v1/api-keys");
  return (
    <Loaded query={query}>
      {({ keys, teams }) => (
        <>
          <TablePanel
            title="API keys"
            rows={keys}
            keyOf={({ name }) => name}
            columns={COLUMNS}
            empty={
              <Empty title="No key was made here.">
                <p>Make one below for each program or person.</p>
              </Empty>
            }
          >
            <p className={styles.quiet}>Keys made here work at once. Configured keys are not among them.</p>
          </TablePanel>
          <MakeKey teams={teams} />
        </>
      )}
    </Loaded>
  );
}

/** Asks for a new key, and shows its secret until somebody says that they have kept it. */
function MakeKey({ teams }: { readonly teams: readonly string[] }) {
  const [made, setMade] = useState<{ name: string; secret: string } | null>(null);
  const [problem, setProblem] = useState<Error | null>(null);
  const onSubmit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    setProblem(null);
    try {
      const { data } = await api.POST("/v1/api-keys", { body: read(new FormData(form)) });
      setMade(data ?? null);
      form.reset();
      await readAgain();
    } catch (error) {
      if (error instanceof Error) setProblem(error);
    }
  };
  return (
    <Panel title="Make a key">
      {made !== null && (
        <div className={styles.secret} role="status">
          <p>
            <b>The secret of {made.name}.</b> It is shown once and kept nowhere.
          </p>
          <input
            readOnly
            value={made.secret}
            aria-label={`Secret of ${made.name}`}
            onFocus={({ target }) => target.select()}
          />
          <Button onClick={() => void navigator.clipboard.writeText(made.secret)}>Copy</Button>{" "}
          <Button onClick={() => setMade(null)}>I have kept it</Button>
        </div>
      )}
      <form onSubmit={(event) => void onSubmit(event)} aria-label="Make a key">
        <Fields teams={teams} />
        {problem !== null && (
          <div role="alert" className={styles.bad}>
            {problem.message}
            {problem instanceof Problem && <Faults faults={problem.faults} />}
          </div>
        )}
        <Button type="submit" tone="main">
          Make the key
        </Button>
      </form>
    </Panel>
  );
}

const FIELDS = [
  ["Name", { name: "name", required: true, maxLength: 64, placeholder: "shop", autoComplete: "off" }],
  ["Tenant", { name: "tenant", defaultValue: "local", maxLength: 64, autoComplete: "off" }],
  ["Expires (UTC)", { name: "expires", type: "datetime-local" }],
  ...QUOTAS.map(
    ([name, label]) =>
      [label, { name, type: "number", min: 0, step: "any", placeholder: "no limit" }] as const,
  ),
  ["Why", { name: "why", maxLength: 2000, placeholder: "For whoever reads the audit", autoComplete: "off" }],
] as const;

function Fields({ teams }: { readonly teams: readonly string[] }) {
  return (
    <>
      <div className={styles.fields}>
        <label className={styles.field}>
          <span>Scope</span>
          <select name="scope">
            <option value="submit">submit: starts runs and sees its tenant’s</option>
            <option value="viewer">viewer: looks at what its tenant owns</option>
            <option value="operator">operator: staff, sees everything</option>
            <option value="admin">admin: also makes keys</option>
          </select>
        </label>
        {FIELDS.map(([label, input]) => (
          <label key={label} className={styles.field}>
            <span>{label}</span>
            <input {...input} />
          </label>
        ))}
      </div>
      <fieldset className={styles.teams} hidden={teams.length === 0}>
        <legend>Teams (none chosen: all)</legend>
        {teams.map((team) => (
          <label key={team}>
            <input type="checkbox" name="teams" value={team} /> {team}
          </label>
        ))}
      </fieldset>
    </>
  );
}

/** Reads what was typed as the API takes it. Empty fields are left to their defaults. */
function read(form: FormData): Body {
  // A form without files holds texts alone, and the API checks the scope.
  const given = Object.fromEntries([...form].filter(([, value]) => value !== "")) as Record<string, string>;
  const teams = form.getAll("teams").map(String);
  return {
    name: given["name"]?.trim() ?? "",
    // The options of the field are the scopes.
    scope: given["scope"] as Body["scope"],
    ...(given["tenant"] && { tenant: given["tenant"].trim() }),
    teams: teams.length === 0 ? null : teams,
    expires_at: given["expires"] === undefined ? null : `${given["expires"]}:00Z`,
    quotas: Object.fromEntries(
      QUOTAS.flatMap(([name]) => (given[name] ? [[name, Number(given[name])]] : [])),
    ),
    why: given["why"]?.trim() ?? "",
  };
}
