import { Link, useParams } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import { counted, money, words } from "../../parts/amounts.ts";
import { Status } from "../../parts/badge.tsx";
import { Id } from "../../parts/copy.tsx";
import { Facts } from "../../parts/facts.tsx";
import { faultInWords, isAttached, Unsealed } from "../../parts/group-name.tsx";
import { Panel, useTitle } from "../../parts/page.tsx";
import { Loaded } from "../../parts/states.tsx";
import { visible } from "../../parts/visible.ts";
import { When } from "../../parts/when.tsx";
import { ActionBar } from "./action-bar.tsx";
import { useCaseActions } from "./case-actions.tsx";
import { useCase, useVerdict } from "./case-data.ts";
import type { CaseView } from "./case-data.ts";
import { Story } from "./case-story.tsx";
import { Compare } from "./compare.tsx";
import { Detail } from "./detail.tsx";
import { useDraft } from "./draft.ts";
import { Edit, startOf } from "./edit.tsx";
import { LOOK_ONLY } from "./group.tsx";
import { JsonGrid } from "./json-grid.tsx";
import { linesOf } from "./json-lines.ts";
import { Reveal } from "./reveal.tsx";
import styles from "./case.module.css";

/** One case: its cause, the original beside its repair, what was tried, and what can be decided. */
export function Case() {
  const { caseId = "" } = useParams({ strict: false });
  return <Loaded query={useCase(caseId)}>{(view) => <Shown key={caseId} read={view} />}</Loaded>;
}

function Shown({ read }: { readonly read: CaseView }) {
  const [revealed, setRevealed] = useState<CaseView | null>(null);
  // What was revealed is of the version that was looked at.
  const view = revealed?.case.version === read.case.version ? revealed : read;
  const { case_id: id, version, agent, status, failure_class: failure } = view.case;
  const [draft, setDraft] = useDraft(id);
  const isEditing = draft?.action === "edit";
  const text = draft?.text ?? startOf(view);
  const verdict = useVerdict(id, isEditing ? text : null);
  const actions = useCaseActions(view, { text, verdict });
  const faults = view.marks.filter(({ from }) => from === "failure").map(faultInWords);
  const { approval } = view;
  const asks = approval === null ? null : `${agent} asks to run ${approval.tool}`;
  const name = asks ?? `${agent}: ${faults[0] ?? words(failure)}`;
  useTitle(name);
  useEffect(() => {
    // What an edit began with stays, whatever is proposed meanwhile.
    if (isEditing && draft.text === undefined) setDraft({ ...draft, text });
  });
  const onText = (next: string): void => {
    if (draft !== null) setDraft({ ...draft, text: next });
  };
  return (
    <Detail
      head={
        <>
          <h1>
            {name}
            {faults.length > 1 && (
              <span className={styles.quiet}> and {counted(faults.length - 1, "more fault")}</span>
            )}
          </h1>
          <Status of={status} />
          <Unsealed id={id} />
          <Id of={id} />
        </>
      }
      bar={<ActionBar id={id} version={version} actions={actions} none={noneOf(view)} />}
    >
      <Cause view={view} />
      <Panel title={approval === null ? "Evidence" : "A tool call waits for a person"}>
        {approval === null ? (
          <Compare
            view={view}
            editor={isEditing ? <Edit view={view} text={text} verdict={verdict} onText={onText} /> : null}
          />
        ) : (
          <Approval view={view} approval={approval} />
        )}
        <Reveal view={view} onRevealed={setRevealed} />
      </Panel>
      <Story view={view} />
      <Panel title="About it">
        <About view={view} />
      </Panel>
    </Detail>
  );
}

function noneOf({ actions, approval }: CaseView): string {
  return actions.length > 0 || approval !== null ? LOOK_ONLY : "Nothing can be decided now.";
}

/** Why it is here, and what it waits for. */
function Cause({ view }: { readonly view: CaseView }) {
  const { diagnosis, waits, decision, proposal } = view.case;
  const isSaid = view.message?.failures.some(({ message }) => diagnosis?.startsWith(message)) === true;
  return (
    <Panel title="Cause">
      <ul className={styles.cause}>
        {(view.message?.failures ?? []).map(({ code, message, remedy, at }) => (
          <li key={`${code} ${at}`}>
            <b>{words(code).toLowerCase()}</b> {visible(message)}{" "}
            <span className={styles.quiet}>{visible(remedy)}</span>
          </li>
        ))}
      </ul>
      {diagnosis !== null && !isSaid && <p className={styles.diagnosis}>{visible(diagnosis)}</p>}
      {waits !== null && (
        <p className={styles.pending}>
          Waits, <When at={waits.until_ms} />: {visible(waits.why)}
        </p>
      )}
      {decision !== null && (
        <p className={styles.pending}>
          {visible(decision.by)} decided: {decision.kind}. The surgeon is on it.
        </p>
      )}
      {proposal !== null && (
        <p className={styles.pending}>
          {visible(proposal.by)} proposes a change that a second person has to approve:{" "}
          {proposal.paths.map(visible).join(", ")}
        </p>
      )}
    </Panel>
  );
}

interface ApprovalProps {
  readonly view: CaseView;
  readonly approval: NonNullable<CaseView["approval"]>;
}

/** A tool call that waits for a person's word: what would be done, with what. Nothing was done yet. */
function Approval({ view, approval: { tool, arguments: given, call_id: id } }: ApprovalProps) {
  return (
    <>
      <p>
        <b>{view.case.agent}</b> asks before it runs <b>{visible(tool)}</b>. Nothing was done yet.{" "}
        <code className={styles.quiet}>{id}</code>
      </p>
      <JsonGrid
        label={`Arguments of ${tool}`}
        sides={1}
        pairs={linesOf(given).map((left) => ({ left, right: null }))}
        marks={{ left: [], right: [] }}
      />
    </>
  );
}

function About({ view }: { readonly view: CaseView }) {
  const { case: one, message, original_query: asked } = view;
  const producer = [one.producer, message?.producer.model].filter((part) => typeof part === "string");
  const facts: readonly (readonly [string, ReactNode] | false)[] = [
    ["Contract", one.contract],
    ["Failure", words(one.failure_class)],
    ["Made by", visible(producer.join(" with "))],
    ["Arrived", <When key="arrived" at={one.admitted_ms} />],
    one.messages > 1 && ["Came back", `${one.messages - 1}×`],
    ["Operations", String(one.operations)],
    ["Cost of repair", money(one.cost)],
    one.run_id !== "" && [
      "Run",
      <Link key="run" to="/runs/$runId" params={{ runId: one.run_id }}>
        {one.run_id.slice(0, 13)}
      </Link>,
    ],
    [
      "Group",
      <Link key="group" to="/inbox/group/$fingerprint" params={{ fingerprint: one.fingerprint }} search>
        {one.fingerprint}
      </Link>,
    ],
  ];
  return (
    <>
      <Facts of={facts} />
      {asked !== null && asked !== "" && (
        <details>
          <summary>{isAttached(one.case_id) ? "Stack" : "What the user asked"}</summary>
          <pre className={styles.text}>{visible(asked)}</pre>
        </details>
      )}
    </>
  );
}
