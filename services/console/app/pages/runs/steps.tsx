import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { readJson, visible } from "#shared/json";
import { $api, api, BY_CURSOR, LIMIT, Problem, useRole } from "../../data/api.ts";
import type { Answer } from "../../data/api.ts";
import { indent } from "../../parts/json.ts";
import { JsonView } from "../../parts/json-view.tsx";
import { addressOf } from "../../parts/links.tsx";
import { Button, Facts, Failed, Json, Loaded, When } from "../../parts/page.tsx";
import { ReasonForm } from "../../parts/reason-form.tsx";
import { counted, duration, money, words } from "../../parts/text.ts";
import type { RunInFull } from "./lay-hops.ts";
import parts from "../../parts/parts.module.css";
import styles from "./runs.module.css";

type Step = Answer<"/v1/runs/{run_id}/steps">["steps"][number];

const KINDS: Readonly<Record<Step["kind"], string>> = {
  delivery: "Delivery to",
  model: "Model call of",
  tool: "Tool called by",
  step: "Step of",
  effect: "Effect of",
  handoff: "Handed on by",
  replacement: "Replaced:",
};
const STATES: Readonly<Record<string, string>> = {
  not_recorded: "Not recorded.",
  gone: "Kept no more, or held by a case of the ward.",
  unverified: "Not shown: its receiver has not verified its seal.",
  unreadable: "Cannot be read.",
  withheld: "For operators and admins alone.",
};
const FOLLOWED_MS = 2000;
/** Steps that use what they are sent, and give it on: their sides are shown with what differs. */
const COMPARED = new Set<string>(["delivery", "handoff", "replacement"]);

const STEP = "/v1/runs/{run_id}/steps/{step_id}";

const sideOf = (name: string, { contract, value }: Step["input"]) => ({
  label: `${name} ${contract ?? ""}`,
  text: visible(JSON.stringify(value ?? null, null, 2)),
  marks: [],
});

/** The steps of one message of a run: deliveries, model calls, tools and handoffs, with their inputs and outputs. */
export function Steps({ run, messageId }: { readonly run: RunInFull; readonly messageId: string }) {
  const runId = run.run_id;
  const query = $api.useInfiniteQuery(
    "get",
    "/v1/runs/{run_id}/steps",
    { params: { path: { run_id: runId }, query: { limit: LIMIT } } },
    { ...BY_CURSOR, refetchInterval: run.ended_at === null && FOLLOWED_MS },
  );
  return (
    <div className={styles.steps}>
      <Loaded query={query}>
        {({ pages }) => {
          const steps = pages.flatMap((page) => page.steps).filter((one) => one.message_id === messageId);
          const delivery = steps.findLast(({ kind }) => kind === "delivery");
          return (
            <>
              {pages[0]?.is_masked === true && <p>What contracts mark as sensitive is not shown here.</p>}
              {steps.length === 0 && !query.hasNextPage && (
                <p>No agent has begun it, or its steps are kept no more.</p>
              )}
              {steps.map((step) => (
                <OneStep key={step.step_id} runId={runId} step={step} />
              ))}
              {query.hasNextPage && <Button onClick={() => void query.fetchNextPage()}>More steps</Button>}
              {delivery !== undefined && <Again runId={runId} step={delivery} />}
            </>
          );
        }}
      </Loaded>
    </div>
  );
}

interface AgainProps {
  readonly runId: string;
  /** The delivery that shows what the message holds. */
  readonly step: Step;
}

/** The order to run again from the message of a delivery, whose payload may be edited, as a new run. */
function Again({ runId, step }: AgainProps) {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState<string | null>(null);
  const [faults, setFaults] = useState<Problem["faults"]>([]);
  const path = { run_id: runId, step_id: step.step_id };
  const query = $api.useQuery("get", STEP, { params: { path } }, { enabled: isOpen });
  const navigate = useNavigate();
  if (useRole() === "viewer") return null;
  if (!isOpen) return <Button onClick={() => setOpen(true)}>Run again from here …</Button>;
  return (
    <section className={styles.replay} aria-label="Run again from here">
      <Loaded query={query}>
        {({ input: { state, value, contract } }) => {
          if (state !== "whole") return <p>What it held is kept no more, or not shown.</p>;
          const start = indent(JSON.stringify(value));
          const text = typed ?? start;
          const payload = text === start ? {} : { data_payload: readJson(text) };
          const isJson = text === start || payload.data_payload !== undefined;
          const send = async (why: string): Promise<void> => {
            const body = { message_id: step.message_id, why, ...payload };
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
                blocked={isJson ? undefined : "No JSON."}
                send={send}
                onCancel={() => setOpen(false)}
              />
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

/** One step. Values that were cut are fetched whole only when somebody wants them. */
function OneStep({ runId, step }: { readonly runId: string; readonly step: Step }) {
  const path = { run_id: runId, step_id: step.step_id };
  const {
    data = step,
    error,
    refetch,
  } = $api.useQuery("get", STEP, { params: { path } }, { enabled: false });
  const { input, output, instructions } = data;
  const { kind, agent, name, to, outcome, problems, failure, conversation: talk } = step;
  const isCompared = COMPARED.has(kind) && input.state === "whole" && output.state === "whole";
  const title = [KINDS[kind], agent, name, problems && "(asked again)", to && `to ${to.agent}`];
  return (
    <article className={styles.step}>
      <h3>
        {visible(title.filter(Boolean).join(" "))}
        {outcome !== null && <small> {words(outcome)}</small>}
      </h3>
      <Facts
        of={{
          Attempt: step.attempt,
          Began: step.started_at !== null && <When at={step.started_at} />,
          Took: step.ms !== null && duration(step.ms),
          Tokens: (step.tokens ?? 0) > 0 && step.tokens?.toLocaleString("en"),
          Cost: (step.cost ?? 0) > 0 && money(step.cost ?? 0),
          Model: step.model,
          Failed: failure !== null && `${words(failure.code).toLowerCase()} ${failure.paths.join(", ")}`,
          Turns: talk !== null && `${talk.turns_used} of ${talk.turns_sent} went on`,
        }}
      />
      {problems !== null && <p className={parts.bad}>Asked again because: {visible(problems)}</p>}
      {instructions.state !== "none" && instructions.state !== "withheld" && (
        <details>
          <summary>Instructions</summary>
          <Value of={instructions} label="Instructions" />
        </details>
      )}
      {isCompared ? (
        <JsonView left={sideOf("Sent", input)} right={sideOf("Used, and given on", output)} />
      ) : (
        <div className={styles.sides}>
          <Value of={input} label="Sent" />
          <Value of={output} label="Used, and given on" />
        </div>
      )}
      {[input, output].some(({ state }) => state === "cut") && (
        <Button onClick={() => void refetch()}>Show all of it</Button>
      )}
      {error !== null && <Failed error={error} />}
    </article>
  );
}

/** A value of a step with its contract: whole, its beginning, or why it is not shown. */
function Value({ of, label }: { readonly of: Step["input"]; readonly label: string }) {
  const { state, contract, value, text, chars } = of;
  if (state === "none") return null;
  return (
    <section aria-label={label}>
      <h4>
        {label} {contract !== null && <small>{contract}</small>}
      </h4>
      {STATES[state] === undefined && <Json of={state === "whole" ? value : (text ?? "")} label={label} />}
      {state !== "whole" && (
        <p>
          {STATES[state] ?? `… ${counted(chars ?? 0, "character")}`}
          {state === "partly_kept" && ", of which no more was kept"}
        </p>
      )}
    </section>
  );
}
