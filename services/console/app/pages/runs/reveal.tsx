import { useState } from "react";
import { api } from "../../data/api.ts";
import { AskWhy } from "../../parts/ask-why.tsx";
import { Button } from "../../parts/button.tsx";
import { Json } from "../../parts/json.tsx";
import { Panel } from "../../parts/page.tsx";
import styles from "./runs.module.css";

/** Shows an admin, for a reason that the audit keeps, what a run came to as its owner sees it. */
export function Reveal({ runId }: { readonly runId: string }) {
  const [revealed, setRevealed] = useState<unknown>(null);
  const reveal = async (why: string): Promise<void> => {
    const params = { path: { run_id: runId } };
    const { data } = await api.POST("/v1/runs/{run_id}/reveal", { params, body: { why } });
    setRevealed(data ?? null);
  };
  if (revealed !== null)
    return (
      <div className={styles.revealed}>
        <Panel title="As its owner sees it" aside={<Button onClick={() => setRevealed(null)}>Hide</Button>}>
          <Json of={revealed} label="Result, error and events, unmasked" />
        </Panel>
      </div>
    );
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
