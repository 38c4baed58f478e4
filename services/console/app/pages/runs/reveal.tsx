import { api } from "../../data/api.ts";
import { AskWhy } from "../../parts/ask-why.tsx";
import { Button } from "../../parts/button.tsx";
import { Json } from "../../parts/json.tsx";
import { Panel } from "../../parts/page.tsx";

interface RevealProps {
  readonly runId: string;
  readonly onRevealed: (revealed: unknown) => void;
}

/** Asks an admin for the reason, which the audit keeps, to see what a run came to as its owner sees it. */
export function Reveal({ runId, onRevealed }: RevealProps) {
  const reveal = async (why: string): Promise<void> => {
    const params = { path: { run_id: runId } };
    const { data } = await api.POST("/v1/runs/{run_id}/reveal", { params, body: { why } });
    onRevealed(data ?? null);
  };
  return (
    <AskWhy
      title="Reveal this run"
      says="Result, error and events are shown without masks of sensitive values. Who looked, when and why is written down first."
      send={reveal}
    >
      Reveal …
    </AskWhy>
  );
}

/** What was revealed, until it is hidden. */
export function Revealed({ of, onHide }: { readonly of: unknown; readonly onHide: () => void }) {
  return (
    <Panel title="As its owner sees it" aside={<Button onClick={onHide}>Hide</Button>}>
      <Json of={of} label="Result, error and events, unmasked" />
    </Panel>
  );
}
