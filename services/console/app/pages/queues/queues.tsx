import { Link } from "@tanstack/react-router";
import { useWorkforce } from "../../data/agents.ts";
import type { Lane } from "../../data/agents.ts";
import { $api } from "../../data/api.ts";
import { Badge } from "../../parts/badge.tsx";
import { Choice, useAsked } from "../../parts/filters.tsx";
import { AgentLink } from "../../parts/links.tsx";
import { Page } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { LOAD, TablePanel } from "../../parts/table.tsx";
import type { Column } from "../../parts/table.tsx";
import parts from "../../parts/parts.module.css";

const LANES: readonly Column<Lane>[] = [
  { name: "Queue", cell: ({ agent }) => <AgentLink name={agent} /> },
  { name: "Lane", cell: ({ lane }) => (lane === "ward" ? "cases" : lane) },
  {
    name: "State",
    cell: ({ damage, is_paused: isPaused }) => (
      <span className={parts.badges}>
        {damage !== null && <Badge tone="bad">damaged: {damage}</Badge>}
        {isPaused && <Badge tone="warn">paused</Badge>}
        {damage === null && !isPaused && "open"}
      </span>
    ),
  },
  ...LOAD,
];

const loadOf = ({ waiting, active, delayed, failed }: Lane): number => waiting + active + delayed + failed;
const needOf = ({ damage, is_paused: isPaused }: Lane): number => (damage !== null ? 2 : isPaused ? 1 : 0);

/** Queues with what waits in them: attached ones, which lead to their failed jobs, and those of the agents. */
export function Queues() {
  const [{ show = "" }] = useAsked();
  return (
    <Page title="Queues">
      <Loaded query={$api.useQuery("get", "/v1/ward/sources")}>
        {(found) => (
          <TablePanel
            title="Attached queues"
            rows={found.sources.map((one) => ({ ...one, ...one.counts }))}
            keyOf={({ source }) => source}
            columns={[
              {
                name: "Queue",
                cell: ({ source }) => (
                  <Link to="/inbox" search={{ source }}>
                    {source}
                  </Link>
                ),
              },
              {
                name: "State",
                cell: ({ problem, has_contract: isJudged }) => (
                  <span className={parts.badges}>
                    <Badge tone={problem === null ? "warn" : "bad"}>{problem ?? "unsealed"}</Badge>
                    {!isJudged && <Badge tone="warn">no contract: nothing is judged</Badge>}
                  </span>
                ),
              },
              ...LOAD,
            ]}
            empty={
              <p className={parts.quiet}>
                None. <code>SUTURE_ATTACH</code> attaches BullMQ queues that run anyway; their failed jobs
                then come to the inbox.
              </p>
            }
          />
        )}
      </Loaded>
      <Loaded query={useWorkforce()}>
        {({ queues }) => (
          <TablePanel
            title="Queues of agents"
            aside={<Choice name="show" label="Show" options={["all"]} none="those with something in them" />}
            rows={queues
              .filter((lane) => show === "all" || loadOf(lane) > 0 || needOf(lane) > 0)
              .toSorted((a, b) => needOf(b) - needOf(a) || loadOf(b) - loadOf(a))}
            keyOf={({ agent, lane }) => `${agent} ${lane}`}
            columns={LANES}
            empty={<Empty title="Nothing waits.">All {queues.length} lanes are open and empty.</Empty>}
          />
        )}
      </Loaded>
    </Page>
  );
}
