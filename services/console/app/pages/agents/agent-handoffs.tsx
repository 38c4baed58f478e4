import { $api } from "../../data/api.ts";
import { HandoffTable } from "../../parts/handoff-table.tsx";
import { Panel } from "../../parts/page.tsx";
import { Loaded } from "../../parts/states.tsx";

/** Who hands messages to an agent, and to whom it hands its own, with how often that went well in two days. */
export function AgentHandoffs({ agent }: { readonly agent: string }) {
  const query = $api.useQuery("get", "/v1/handoffs", { params: { query: { span: "two_days" } } });
  return (
    <Panel title="Who hands it what, and where it goes from here">
      <Loaded query={query}>
        {({ handoffs }) => (
          <HandoffTable
            label="Its handoffs"
            of={handoffs.filter(({ from, to }) => from === agent || to === agent)}
            empty="Nobody is declared to hand it anything."
          />
        )}
      </Loaded>
    </Panel>
  );
}
