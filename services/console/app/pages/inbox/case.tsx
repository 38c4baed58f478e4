import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { visible } from "#shared/json";
import { $api } from "../../data/api.ts";
import { addressOf, faultInWords, GroupLink, isAttached } from "../../parts/links.tsx";
import { Facts, Loaded, Panel, Status, useTitle, When } from "../../parts/page.tsx";
import { amount, LOG, TablePanel } from "../../parts/table.tsx";
import type { Columns } from "../../parts/table.tsx";
import { counted, money, words } from "../../parts/text.ts";
import { caseActions } from "./actions.ts";
import type { CaseView } from "./actions.ts";
import { Detail, useDraft } from "./decide.tsx";
import { Evidence, startOf, useVerdict } from "./evidence.tsx";
import { JsonView } from "../../parts/json-view.tsx";
import styles from "./case.module.css";

/** One case: its cause, the original beside its repair, what was tried, and what can be decided. */
export function Case() {
  const { caseId = "" } = useParams({ strict: false });
  const params = { path: { case_id: caseId } };
  const query = $api.useQuery("get", "/v1/ward/cases/{case_id}", { params });
  return <Loaded query={query}>{(view) => <Shown key={caseId} read={view} />}</Loaded>;
}

function Shown({ read }: { readonly read: CaseView }) {
  const [revealed, onRevealed] = useState<CaseView | null>(null);
  // Revealed values are shown with the version that they were read from.
  const view = revealed?.case.version === read.case.version ? revealed : read;
  const { case_id: id, agent, fingerprint, status, version, failure_class: failure } = view.case;
  const [draft, setDraft] = useDraft(id);
  const isEditing = draft?.action === "edit";
  const text = draft?.text ?? startOf(view);
  const verdict = useVerdict(id, isEditing ? text : null);
  const actions = caseActions(view, { text, blocked: verdict.blocked }, onRevealed);
  const faults = view.marks.filter(({ from }) => from === "failure").map(faultInWords);
  const { approval } = view;
  const asks = approval === null ? null : `${agent} asks to run ${visible(approval.tool)}`;
  const more = faults.length > 1 ? ` and ${counted(faults.length - 1, "more fault")}` : "";
  const name = asks ?? `${agent}: ${faults[0] ?? words(failure)}${more}`;
  const given = JSON.stringify(approval?.arguments, null, 2);
  useTitle(name);
  const onText = (next: string): void => void (draft && setDraft({ ...draft, text: next }));
  const navigate = useNavigate();
  // A job that was sent back is a case no more, and no news tells of it.
  const leave = () => isAttached(id) && void navigate({ ...addressOf.group(fingerprint), search: true });
  return (
    <Detail {...{ id, version, status, actions }} title={name} onDone={leave}>
      <Cause view={view} />
      {approval === null ? (
        <Evidence view={view} edited={isEditing ? { text, verdict, onText } : null} />
      ) : (
        <Panel title="A tool call waits for a person: nothing was done yet">
          <JsonView left={{ label: `Arguments of ${approval.tool}`, text: given, marks: [] }} />
        </Panel>
      )}
      <Story view={view} />
      <About view={view} />
    </Detail>
  );
}

function proposedIn({ by, at, why, decision, paths }: NonNullable<CaseView["case"]["proposal"]>): string {
  if (decision === undefined) return `${by} proposes, for a second person to approve: ${paths.join(", ")}`;
  const what = decision === "release" ? "a repair, which the contract takes" : "to discard it";
  const second = paths.length === 0 ? "" : ` A second person has to approve ${paths.join(", ")} after that.`;
  const when = new Date(at).toLocaleString();
  return `${by} proposed ${what} (${when}): ${why} Nothing goes out before you sign it.${second}`;
}

/** The failures that brought it here, and the events that it waits for. */
function Cause({ view }: { readonly view: CaseView }) {
  const { diagnosis, waits, decision, proposal } = view.case;
  const failures = view.message?.failures ?? [];
  const isSaid = failures.some(({ message }) => diagnosis?.startsWith(message));
  const pending = [
    waits && `Waits until ${new Date(waits.until_ms).toLocaleString()}: ${waits.why}`,
    decision && `${decision.by} decided: ${decision.kind}. The surgeon is on it.`,
    proposal && proposedIn(proposal),
  ].flatMap((one) => one ?? []);
  return (
    <Panel title="Cause">
      <ul className={styles.cause}>
        {failures.map(({ code, message, remedy, at }) => (
          <li key={`${code} ${at}`}>
            <b>{words(code).toLowerCase()}</b> {visible(message)}{" "}
            <span className={styles.quiet}>{visible(remedy)}</span>
          </li>
        ))}
      </ul>
      {!isSaid && <p className={styles.quiet}>{visible(diagnosis ?? "")}</p>}
      {pending.map((one) => (
        <p key={one} className={styles.pending}>
          {visible(one)}
        </p>
      ))}
    </Panel>
  );
}

type Attempt = CaseView["history"][number]["attempts"][number];

const TRIED: Columns<Attempt> = {
  Procedure: ({ procedure }) => words(procedure),
  Outcome: ({ outcome }) => <Status of={outcome} />,
  Why: ({ reason, said, objections }) => {
    const against = objections.map(({ path, code }) => `${path || "/"}: ${words(code)}`);
    return visible([words(reason), ...(said === undefined ? [] : [`“${said}”`]), ...against].join(" "));
  },
  Model: ({ model }) => model ?? "none",
  Took: amount(({ duration_ms: ms }) => `${Math.round(ms)} ms`),
  Cost: amount(({ cost }) => money(cost)),
};

/** The attempts at a repair, and one log of the run's events and of people's acts. */
function Story({ view: { case: one, history, run, timeline, audit } }: { readonly view: CaseView }) {
  const events = timeline.map(({ at, agent, type }) => ({ at, by: agent ?? "", action: type }));
  const log = [...audit, ...events].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
  const steps = run !== null && (
    <Link {...addressOf.run(one.run_id)}>
      Run {words(run.status)}, {money(run.cost)}: all steps
    </Link>
  );
  return (
    <>
      {!isAttached(one.case_id) && (
        <TablePanel
          title="What was tried"
          rows={history.flatMap(({ attempts }) => attempts)}
          keyOf={(attempt) => JSON.stringify(attempt)}
          empty="Nothing was tried."
          columns={TRIED}
        />
      )}
      <TablePanel title="What happened" aside={steps} rows={log} {...LOG} empty="Nothing is written down." />
    </>
  );
}

function About({ view }: { readonly view: CaseView }) {
  const { case: one, message, original_query: asked } = view;
  const producer = [one.producer, message?.producer.model].filter(Boolean).join(" with ");
  return (
    <Panel title="About it">
      <Facts
        of={{
          Contract: one.contract,
          "Made by": visible(producer),
          Arrived: <When at={one.admitted_ms} />,
          "Came back": one.messages > 1 && `${one.messages - 1}×`,
          "Cost of repair": money(one.cost),
          Group: <GroupLink of={one} />,
        }}
      />
      {asked !== null && asked !== "" && (
        <details>
          <summary>{isAttached(one.case_id) ? "Stack" : "What the user asked"}</summary>
          <pre className={styles.text}>{visible(asked)}</pre>
        </details>
      )}
    </Panel>
  );
}
