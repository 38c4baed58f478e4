import { Link } from "@tanstack/react-router";
import { $api, useWorkforce } from "../../data/api.ts";
import type { Answer, Lane } from "../../data/api.ts";
import { Choice, useAsked } from "../../parts/filters.tsx";
import { AgentLink } from "../../parts/links.tsx";
import { Badge, Empty, Page } from "../../parts/page.tsx";
import { LOAD, TablePanel } from "../../parts/table.tsx";
import type { Columns } from "../../parts/table.tsx";
import parts from "../../parts/parts.module.css";

const LANES: Columns<Lane> = {
  Queue: ({ agent }) => <AgentLink name={agent} />,
  Lane: ({ lane }) => (lane === "ward" ? "cases" : lane),
  State: ({ damage, is_paused: isPaused }) => (
    <span className={parts.badges}>
      {damage !== null && <Badge tone="bad">damaged: {damage}</Badge>}
      {isPaused && <Badge tone="warn">paused</Badge>}
      {damage === null && !isPaused && "open"}
    </span>
  ),
  ...LOAD,
};

const ATTACHED: Columns<Answer<"/v1/ward/sources">["sources"][number]> = {
  Queue: ({ source }) => (
    <Link to="/inbox" search={{ source }}>
      {source}
    </Link>
  ),
  State: ({ problem, has_contract: isJudged }) => (
    <span className={parts.badges}>
      <Badge tone={problem === null ? "warn" : "bad"}>{problem ?? "unsealed"}</Badge>
      {!isJudged && <Badge tone="warn">no contract: nothing is judged</Badge>}
    </span>
  ),
  ...LOAD,
};

const loadOf = ({ waiting, active, delayed, failed }: Lane): number => waiting + active + delayed + failed;
const needOf = ({ damage, is_paused: isPaused }: Lane): number => (damage !== null ? 2 : isPaused ? 1 : 0);

/** Queues with what waits in them: attached ones, which lead to their failed jobs, and those of the agents. */
export function Queues() {
  const [{ show = "" }] = useAsked();
  const attached = $api.useQuery("get", "/v1/ward/sources");
  const workforce = useWorkforce();
  const lanes = workforce.data?.queues ?? [];
  return (
    <Page title="Queues">
      <TablePanel
        title="Attached queues"
        query={attached}
        rows={attached.data?.sources.map((one) => ({ ...one, ...one.counts })) ?? []}
        keyOf={({ source }) => source}
        columns={ATTACHED}
        empty={
          <p className={parts.quiet}>
            None. <code>SUTURE_ATTACH</code> attaches BullMQ queues that run anyway; their failed jobs then
            come to the inbox.
          </p>
        }
      />
      <TablePanel
        title="Queues of agents"
        aside={<Choice name="show" label="Show" options={["all"]} none="those with something in them" />}
        query={workforce}
        rows={lanes
          .filter((lane) => show === "all" || loadOf(lane) > 0 || needOf(lane) > 0)
          .toSorted((a, b) => needOf(b) - needOf(a) || loadOf(b) - loadOf(a))}
        keyOf={({ agent, lane }) => `${agent} ${lane}`}
        columns={LANES}
        empty={<Empty title="Nothing waits.">All {lanes.length} lanes are open and empty.</Empty>}
      />
    </Page>
  );
}
