import { useState } from "react";
import { $api, api } from "../../data/api.ts";
import type { Answer } from "../../data/answers.ts";
import { counted, duration, money, words } from "../../parts/amounts.ts";
import { Button } from "../../parts/button.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Json } from "../../parts/json.tsx";
import { Failed, Loaded } from "../../parts/states.tsx";
import { visible } from "../../parts/visible.ts";
import { When } from "../../parts/when.tsx";
import { differences } from "./differences.ts";
import parts from "../../parts/parts.module.css";
import styles from "./runs.module.css";

type Step = Answer<"/v1/runs/{run_id}/steps">["steps"][number];
type Content = Step["input"];

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
  none: "None.",
  not_recorded: "Not recorded.",
  gone: "Kept no more, or held by a case of the ward.",
  unverified: "Not shown: its receiver has not verified its seal.",
  unreadable: "Cannot be read.",
  withheld: "For operators and admins alone.",
};
const FOLLOWED_MS = 2000;

interface StepsProps {
  readonly runId: string;
  readonly messageId: string;
  readonly isOver: boolean;
}

/** What one message of a run was sent and what was made of it: deliveries, model calls, tools, handoffs. */
export function Steps({ runId, messageId, isOver }: StepsProps) {
  const query = $api.useInfiniteQuery(
    "get",
    "/v1/runs/{run_id}/steps",
    { params: { path: { run_id: runId }, query: { limit: 100 } } },
    {
      pageParamName: "cursor",
      // Where the first page begins.
      initialPageParam: "0.0",
      getNextPageParam: ({ next_cursor: next }: Answer<"/v1/runs/{run_id}/steps">) => next,
      refetchInterval: isOver ? false : FOLLOWED_MS,
    },
  );
  return (
    <div className={styles.steps}>
      <Loaded query={query}>
        {({ pages }) => {
          const steps = pages.flatMap((page) => page.steps).filter((one) => one.message_id === messageId);
          return (
            <>
              {pages[0]?.is_masked === true && (
                <p className={parts.quiet}>What contracts mark as sensitive is not shown here.</p>
              )}
              {steps.length === 0 && !query.hasNextPage && (
                <p className={parts.quiet}>No agent has begun it, or its steps are kept no more.</p>
              )}
              {steps.map((step) => (
                <OneStep key={step.step_id} runId={runId} step={step} />
              ))}
              {query.hasNextPage && <Button onClick={() => void query.fetchNextPage()}>More steps</Button>}
            </>
          );
        }}
      </Loaded>
    </div>
  );
}

function OneStep({ runId, step }: { readonly runId: string; readonly step: Step }) {
  const { kind, agent, name, to, outcome, failure, problems, conversation: talk } = step;
  const title = [
    KINDS[kind],
    agent,
    name,
    problems !== null && "(asked again)",
    to !== null && `to ${to.agent}`,
  ];
  const isPassed = kind === "handoff" || kind === "replacement" || kind === "delivery";
  return (
    <article className={styles.step}>
      <h3>
        {visible(title.filter((one) => typeof one === "string").join(" "))}
        {outcome !== null && <small> {words(outcome)}</small>}
      </h3>
      <Facts
        of={[
          step.attempt !== null && ["Attempt", step.attempt],
          step.started_at !== null && ["Began", <When key="began" at={step.started_at} />],
          step.ms !== null && ["Took", duration(step.ms)],
          step.tokens !== null && step.tokens > 0 && ["Tokens", step.tokens.toLocaleString("en")],
          step.cost !== null && step.cost > 0 && ["Cost", money(step.cost)],
          step.model !== null && ["Model", step.model],
          failure !== null && [
            "Failed",
            `${words(failure.class)}: ${words(failure.code).toLowerCase()} ${failure.paths.join(", ")}`,
          ],
        ]}
      />
      {problems !== null && <p className={parts.bad}>Asked again because: {visible(problems)}</p>}
      {step.instructions.state !== "none" && step.instructions.state !== "withheld" && (
        <details>
          <summary>Instructions</summary>
          <Value of={step.instructions} label="Instructions" />
        </details>
      )}
      <div className={styles.sides}>
        <Side {...{ runId, step }} part="input" title={kind === "model" ? "What the prompt held" : "Sent"} />
        <Side
          {...{ runId, step }}
          part="output"
          title={kind === "model" ? "Answered" : "Used, and given on"}
        />
      </div>
      {isPassed && <Differences step={step} />}
      {talk !== null && talk.turns_sent > 0 && (
        <p className={parts.quiet}>
          Conversation: {counted(talk.turns_sent, "turn")} ({counted(talk.chars_sent, "character")}) came,{" "}
          {talk.turns_used} ({counted(talk.chars_used, "character")}) went on.
        </p>
      )}
    </article>
  );
}

/** What of the one value is not as it is in the other. */
function Differences({ step: { input, output } }: { readonly step: Step }) {
  if (input.state !== "whole" || output.state !== "whole") return null;
  const found = differences(input.value, output.value);
  if (found.length === 0) return <p className={parts.quiet}>Both are the same.</p>;
  return (
    <ul className={styles.differences} aria-label="Differences">
      {found.map(({ path, kind }) => (
        <li key={path} data-kind={kind}>
          <code>{visible(path)}</code> {kind}
        </li>
      ))}
    </ul>
  );
}

interface SideProps {
  readonly runId: string;
  readonly step: Step;
  readonly part: "input" | "output";
  readonly title: string;
}

/** One side of a step. A cut value is fetched whole only when somebody wants it. */
function Side({ runId, step, part, title }: SideProps) {
  const [whole, setWhole] = useState<Content | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const content = whole ?? step[part];
  if (content.state === "none") return null;
  const load = async (): Promise<void> => {
    const params = { path: { run_id: runId, step_id: step.step_id } };
    try {
      const { data } = await api.GET("/v1/runs/{run_id}/steps/{step_id}", { params });
      setWhole(data?.[part] ?? null);
    } catch (error) {
      setProblem(error);
    }
  };
  return (
    <section aria-label={title}>
      <h4>
        {title} {content.contract !== null && <small>{content.contract}</small>}
      </h4>
      <Value of={content} label={title} />
      {content.state === "cut" && <Button onClick={() => void load()}>Show all of it</Button>}
      {problem !== null && <Failed error={problem} />}
    </section>
  );
}

function Value({
  of: { state, value, text, chars },
  label,
}: {
  readonly of: Content;
  readonly label: string;
}) {
  if (state === "whole") return <Json of={value} label={label} />;
  if (state !== "cut" && state !== "partly_kept") return <p className={parts.quiet}>{STATES[state]}</p>;
  return (
    <>
      <Json of={text ?? ""} label={label} />
      <p className={parts.quiet}>
        … {counted(chars ?? 0, "character")}
        {state === "partly_kept" && ", of which no more was kept"}
      </p>
    </>
  );
}
