import { useState } from "react";
import type { operations } from "#shared/api/client";
import { $api, api, readAgain } from "../../data/api.ts";
import { money } from "../../parts/amounts.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Panel } from "../../parts/page.tsx";
import { ReasonForm } from "../../parts/reason-form.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import type { Column } from "../../parts/table.tsx";
import { When } from "../../parts/when.tsx";
import styles from "./settings.module.css";

type Key = operations["listApiKeys"]["responses"][200]["content"]["application/json"]["keys"][number];

const COLUMNS: readonly Column<Key>[] = [
  { name: "Name", cell: ({ name }) => <b>{name}</b> },
  { name: "Scope", cell: ({ scope }) => <Badge>{scope}</Badge> },
  { name: "Teams", cell: ({ teams }) => (teams === null ? "all" : teams.join(", ")) },
  { name: "Use", cell: (key) => <Use of={key} /> },
  { name: "Expires", cell: (key) => <Expiry of={key} /> },
  {
    name: "Made",
    cell: (key) => (
      <span className={styles.made}>
        <When at={key.created_at} /> by {key.created_by}
      </span>
    ),
  },
];

/** Keys that were made here: whose they are, what they may do and use; an admin revokes one with a reason. */
export function Keys() {
  const query = $api.useQuery("get", "/v1/api-keys");
  const [revoking, setRevoking] = useState("");
  const [why, setWhy] = useState("");
  const [said, setSaid] = useState("");
  const close = (): void => {
    setRevoking("");
    setWhy("");
  };
  const revoke = async (reason: string): Promise<void> => {
    await api.POST("/v1/api-keys/{name}/revoke", {
      params: { path: { name: revoking } },
      body: { why: reason },
    });
    setSaid(`${revoking} is revoked: every service refuses it within a second.`);
    close();
    await readAgain();
  };
  return (
    <Panel title="API keys">
      <p className={styles.quiet}>
        Keys made here work at once. Configured keys are not among them; what somebody makes or revokes is in
        the audit.
      </p>
      {said !== "" && <p role="status">{said}</p>}
      {revoking !== "" && (
        <ReasonForm
          key={revoking}
          title={`Revoke ${revoking}`}
          tone="bad"
          why={why}
          onWhy={setWhy}
          send={revoke}
          onCancel={close}
        />
      )}
      <Loaded query={query}>
        {({ keys }) => (
          <Table
            label="API keys"
            rows={keys}
            isCards
            keyOf={({ name }) => name}
            empty={
              <Empty title="No key was made here.">
                <p>Make one below for each program or person.</p>
              </Empty>
            }
            columns={[
              ...COLUMNS,
              {
                name: "",
                cell: ({ name }) => (
                  <Button tone="bad" aria-label={`Revoke ${name}`} onClick={() => setRevoking(name)}>
                    Revoke …
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </Panel>
  );
}

function Use({ of: { quotas, use } }: { readonly of: Key }) {
  const lines = [
    line(quotas.running_runs, use?.running_runs, "running"),
    line(quotas.waiting_runs, use?.waiting_runs, "waiting"),
    line(quotas.requests_per_minute, undefined, "requests a minute"),
    line(quotas.cost_per_day, use?.cost_today, "a day", money),
  ].filter((one) => one !== null);
  if (lines.length === 0) return <span className={styles.quiet}>no limits</span>;
  return lines.map(({ text, isSpent }) => (
    <div key={text} className={isSpent ? styles.bad : ""}>
      {text}
    </div>
  ));
}

function line(
  most: number | undefined,
  used: number | undefined,
  words: string,
  write: (amount: number) => string = String,
): { text: string; isSpent: boolean } | null {
  if (most === undefined) return null;
  const now = used === undefined ? "" : `${write(used)} of `;
  return { text: `${now}${write(most)} ${words}`, isSpent: used !== undefined && used >= most };
}

function Expiry({ of: { expires_at: at, is_expired: isExpired } }: { readonly of: Key }) {
  if (at === null) return <span className={styles.quiet}>never</span>;
  return (
    <span className={isExpired ? styles.bad : ""}>
      {isExpired && "expired "}
      <When at={at} />
    </span>
  );
}
