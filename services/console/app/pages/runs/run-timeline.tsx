import { Link } from "@tanstack/react-router";
import { duration, money, words } from "../../parts/amounts.ts";
import { Badge } from "../../parts/badge.tsx";
import type { Tone } from "../../parts/badge.tsx";
import { Panel } from "../../parts/page.tsx";
import { visible } from "../../parts/visible.ts";
import type { RunInFull } from "./lay-hops.ts";
import styles from "./runs.module.css";

type RunEvent = NonNullable<RunInFull["events"]>[number];

const TONES: Readonly<Record<string, Tone>> = {
  completed: "good",
  discharged: "good",
  released: "good",
  rejected: "bad",
  quarantined: "bad",
  unreadable: "bad",
  retry: "warn",
  postponed: "warn",
  cancel_requested: "warn",
  in_ward: "accent",
  operation: "accent",
};

/** What happened in a run, in order, with the time since it was created. */
export function RunTimeline({ run }: { readonly run: RunInFull }) {
  const events = run.events ?? [];
  const startMs = Date.parse(run.created_at);
  return (
    <Panel title="What happened">
      {events.length === 0 && <p>Its log is kept no more.</p>}
      <ol className={styles.timeline}>
        {events.map((event) => (
          <li key={event.id}>
            <time dateTime={event.at} title={event.at}>
              +{duration(Date.parse(event.at) - startMs)}
            </time>
            <Badge tone={TONES[event.type] ?? "quiet"}>{words(event.type)}</Badge>
            <span>
              {event.agent !== null && <b>{event.agent} </b>}
              <Details of={event.detail} />
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

/** What is shown of an event's details, with how it is said. */
const SAID: readonly (readonly [string, (value: unknown) => string])[] = [
  ["attempt", (value) => (value === 1 ? "" : `attempt ${String(value)}`)],
  ["class", (value) => words(String(value))],
  ["code", (value) => words(String(value)).toLowerCase()],
  ["paths", (value) => (Array.isArray(value) ? value.join(", ") : "")],
  ["reason", String],
  ["end", (value) => `as ${String(value)}`],
  ["by", (value) => `by ${String(value)}`],
  ["delay_ms", (value) => `again in ${duration(Number(value))}`],
  ["ms", (value) => duration(Number(value))],
  ["model", String],
  ["cost", (value) => (Number(value) > 0 ? money(Number(value)) : "")],
];

function Details({ of }: { readonly of: RunEvent["detail"] }) {
  const said = SAID.map(([name, say]) => {
    const value = of[name];
    return value === undefined || value === null ? "" : say(value);
  });
  const { case_id: caseId, next } = of;
  const receivers = Array.isArray(next)
    ? next.map((one: unknown) =>
        typeof one === "object" && one !== null && "agent" in one ? String(one.agent) : "?",
      )
    : [];
  return (
    <>
      {visible(said.filter((text) => text !== "").join(" · "))}
      {receivers.length > 0 && ` → ${receivers.join(", ")}`}
      {typeof caseId === "string" && (
        <>
          {" "}
          <Link to="/inbox/case/$caseId" params={{ caseId }}>
            its case
          </Link>
        </>
      )}
    </>
  );
}
