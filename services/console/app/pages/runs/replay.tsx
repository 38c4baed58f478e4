import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { $api, api, Problem } from "../../data/api.ts";
import { indent } from "../../parts/json.ts";
import { JsonView } from "../../parts/json-view.tsx";
import { addressOf } from "../../parts/links.tsx";
import { Loaded } from "../../parts/page.tsx";
import { ReasonForm } from "../../parts/reason-form.tsx";
import styles from "./runs.module.css";

interface ReplayProps {
  readonly runId: string;
  readonly messageId: string;
  /** The delivery that shows what the message holds. */
  readonly stepId: string;
  readonly onCancel: () => void;
}

/** The payload of a message, which a person may edit, and the order to run again from it, as a new run. */
export function Replay({ runId, messageId, stepId, onCancel }: ReplayProps) {
  const path = { run_id: runId, step_id: stepId };
  const query = $api.useQuery("get", "/v1/runs/{run_id}/steps/{step_id}", { params: { path } });
  const navigate = useNavigate();
  const [typed, setTyped] = useState<string | null>(null);
  const [faults, setFaults] = useState<Problem["faults"]>([]);
  return (
    <section className={styles.replay} aria-label="Run again from here">
      <Loaded query={query}>
        {({ input: { state, value, contract } }) => {
          if (state !== "whole") return <p>What it held is kept no more, or not shown.</p>;
          const start = indent(JSON.stringify(value));
          const text = typed ?? start;
          const payload = text === start ? {} : { data_payload: parsed(text) };
          const send = async (why: string): Promise<void> => {
            const body = { message_id: messageId, why, ...payload };
            const params = { path: { run_id: runId } };
            const sent = api.POST("/v1/runs/{run_id}/replay", { params, body });
            sent.catch((error: unknown) => setFaults(error instanceof Problem ? error.faults : []));
            const { data } = await sent;
            if (data !== undefined) await navigate(addressOf.run(data.run_id));
          };
          return (
            <>
              <p>
                A new run begins here. Values that are masked stay the message’s own; effects of agents happen
                again.
              </p>
              <JsonView
                left={{ label: `Recorded ${contract ?? ""}`, text: start, marks: [] }}
                right={{
                  label: "Value to run again with",
                  text,
                  marks: faults.map((one) => ({ ...one, path: one.path.replace("/data_payload", "") })),
                  edit: { schema: undefined, onText: setTyped },
                }}
              />
              <ReasonForm
                title="Run again"
                hasFocus={false}
                blocked={
                  "data_payload" in payload && payload.data_payload === undefined ? "No JSON." : undefined
                }
                send={send}
                onCancel={onCancel}
              />
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

/** The value of JSON text; undefined where it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
