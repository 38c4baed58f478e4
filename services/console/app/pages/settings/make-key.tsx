import { useState } from "react";
import type { ReactNode, SubmitEvent } from "react";
import type { operations } from "#shared/api/client";
import { $api, api, Problem, readAgain } from "../../data/api.ts";
import { Button } from "../../parts/button.tsx";
import { Panel } from "../../parts/page.tsx";
import { Faults } from "../../parts/states.tsx";
import { Secret } from "./secret.tsx";
import styles from "./settings.module.css";

const SCOPES = {
  submit: "submit: starts runs and sees its tenant’s",
  viewer: "viewer: looks at what its tenant owns",
  operator: "operator: staff, sees everything",
  admin: "admin: also makes keys",
} as const;
type Scope = keyof typeof SCOPES;
const isScope = (text: string): text is Scope => Object.hasOwn(SCOPES, text);

const QUOTAS = [
  ["requests_per_minute", "Requests a minute"],
  ["running_runs", "Running runs"],
  ["waiting_runs", "Waiting runs"],
  ["cost_per_day", "USD a day"],
] as const;

/** Asks for a new key, and shows its secret once. */
export function MakeKey() {
  const { data } = $api.useQuery("get", "/v1/api-keys");
  const [made, setMade] = useState<{ name: string; secret: string } | null>(null);
  const [problem, setProblem] = useState<Error | null>(null);
  const [isBusy, setBusy] = useState(false);
  const onSubmit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    setBusy(true);
    setProblem(null);
    try {
      const answer = await api.POST("/v1/api-keys", { body: read(new FormData(form)) });
      if (answer.data !== undefined) setMade(answer.data);
      form.reset();
      await readAgain();
    } catch (error) {
      setProblem(error instanceof Error ? error : new Error("It did not work."));
    }
    setBusy(false);
  };
  return (
    <Panel title="Make a key">
      {made !== null && <Secret of={made} onKept={() => setMade(null)} />}
      <form onSubmit={(event) => void onSubmit(event)} aria-label="Make a key">
        <Fields teams={data?.teams ?? []} />
        {problem !== null && (
          <div role="alert" className={styles.bad}>
            {problem.message}
            {problem instanceof Problem && <Faults faults={problem.faults} />}
          </div>
        )}
        <Button type="submit" tone="main" disabled={isBusy}>
          Make the key
        </Button>
      </form>
    </Panel>
  );
}

function Fields({ teams }: { readonly teams: readonly string[] }) {
  return (
    <>
      <div className={styles.fields}>
        <Field label="Name">
          <input name="name" required maxLength={64} placeholder="shop" autoComplete="off" />
        </Field>
        <Field label="Tenant">
          <input name="tenant" defaultValue="local" maxLength={64} autoComplete="off" />
        </Field>
        <Field label="Scope">
          <select name="scope">
            {Object.entries(SCOPES).map(([scope, words]) => (
              <option key={scope} value={scope}>
                {words}
              </option>
            ))}
          </select>
        </Field>
        <Field label="Expires (UTC)">
          <input name="expires" type="datetime-local" />
        </Field>
        {QUOTAS.map(([name, words]) => (
          <Field key={name} label={words}>
            <input name={name} type="number" min={0} step="any" placeholder="no limit" />
          </Field>
        ))}
      </div>
      {teams.length > 0 && (
        <fieldset className={styles.teams}>
          <legend>Teams (none chosen: all)</legend>
          {teams.map((team) => (
            <label key={team}>
              <input type="checkbox" name="teams" value={team} /> {team}
            </label>
          ))}
        </fieldset>
      )}
      <Field label="Why">
        <input name="why" maxLength={2000} placeholder="For whoever reads the audit" autoComplete="off" />
      </Field>
    </>
  );
}

function Field({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <label className={styles.field}>
      <span>{label}</span>
      {children}
    </label>
  );
}

type Body = operations["createApiKey"]["requestBody"]["content"]["application/json"];

/** Reads what was typed as the API takes it. Empty fields are left to their defaults. */
function read(form: FormData): Body {
  const text = (name: string): string => {
    const value = form.get(name);
    return typeof value === "string" ? value.trim() : "";
  };
  const teams = form.getAll("teams").filter((one) => typeof one === "string");
  const scope = text("scope");
  const limits = QUOTAS.filter(([name]) => text(name) !== "").map(([name]) => [name, Number(text(name))]);
  return {
    name: text("name"),
    scope: isScope(scope) ? scope : "submit",
    ...(text("tenant") === "" ? {} : { tenant: text("tenant") }),
    teams: teams.length === 0 ? null : teams,
    expires_at: text("expires") === "" ? null : `${text("expires")}:00Z`,
    quotas: Object.fromEntries(limits),
    why: text("why"),
  };
}
