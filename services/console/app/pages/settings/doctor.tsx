import { visible } from "#shared/json";
import { $api } from "../../data/api.ts";
import type { Answer } from "../../data/api.ts";
import { Badge, Facts } from "../../parts/page.tsx";
import { TablePanel } from "../../parts/table.tsx";
import type { Columns } from "../../parts/table.tsx";
import parts from "../../parts/parts.module.css";

const TONES = { ok: "good", open: "warn", failed: "bad" } as const;

const FINDINGS: Columns<Answer<"/v1/doctor">["findings"][number]> = {
  State: ({ state }) => <Badge tone={TONES[state]}>{state}</Badge>,
  Check: ({ check }) => check,
  Seen: ({ seen }) => visible(seen),
  "Next step": ({ todo }) => todo,
};

/** Protections of Redis as the console sees them, and the limits that it was started with. */
export function Doctor() {
  const query = $api.useQuery("get", "/v1/doctor");
  const { findings = [], limits = {} } = query.data ?? {};
  return (
    <TablePanel
      title="Doctor"
      query={query}
      rows={findings}
      keyOf={({ check }) => check}
      columns={FINDINGS}
      empty="Nothing was examined."
    >
      <p className={parts.quiet}>
        On a service’s machine, npx suture doctor also looks at keys and processes.
      </p>
      <Facts of={Object.fromEntries(Object.entries(limits).map(([name, most]) => [name, String(most)]))} />
    </TablePanel>
  );
}
