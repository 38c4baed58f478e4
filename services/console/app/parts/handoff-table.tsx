import type { Answer } from "../data/api.ts";
import { AgentLink } from "./links.tsx";
import { Badge } from "./page.tsx";
import { amount, Trend } from "./table.tsx";
import type { Columns } from "./table.tsx";
import { percent } from "./text.ts";
import styles from "./parts.module.css";

export type Handoff = Answer<"/v1/handoffs">["handoffs"][number];
type Producer = Answer<"/v1/producers">["producers"][number];

/** Columns of handoffs, with how often they went well. */
export const HANDOFFS: Columns<Handoff> = {
  From: ({ from }) => <AgentLink name={from} />,
  To: ({ to }) => <AgentLink name={to} />,
  Type: ({ handoff_type: type, loop, is_declared: isDeclared }) => (
    <span className={styles.badges}>
      {type}
      {loop && <Badge>loop</Badge>}
      {!isDeclared && <Badge tone="warn">undeclared</Badge>}
    </span>
  ),
  Contract: ({ contract }) => contract,
  Done: amount(({ done }) => done),
  Failed: amount(({ failed }) => (
    <span className={failed > 0 ? styles.bad : ""}>{failed.toLocaleString("en")}</span>
  )),
  Success: amount(({ success_rate: rate }) =>
    rate === null ? <span className={styles.quiet}>none ended</span> : percent(rate),
  ),
};

export const handoffKey = (one: Handoff): string =>
  [one.from, one.to, one.handoff_type, one.contract].join(" ");

/** Columns of what an agent makes, and how much of it is malformed. */
export const PRODUCERS: Columns<Producer> = {
  Contract: ({ contract }) => contract,
  Model: ({ model }) => model ?? "handed on",
  Prompt: ({ prompt_version: version }) => version ?? "–",
  Outputs: amount(({ outputs }) => outputs),
  Malformed: amount(({ malformed }) => malformed),
  Rate: amount(({ rate, malformed }) => (
    <span className={malformed > 0 ? styles.bad : ""}>{percent(rate)}</span>
  )),
  Trend: ({ trend: { outputs, malformed } }) => (
    <Trend counts={outputs} bad={malformed} label="Outputs over time, and those that were malformed" />
  ),
};

export const producerKey = (one: Producer): string =>
  [one.agent, one.contract, one.model, one.prompt_version].join(" ");
