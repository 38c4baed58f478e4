import { useNavigate, useParams } from "@tanstack/react-router";
import { $api } from "../../data/api.ts";
import { counted } from "../../parts/amounts.ts";
import { AuditList } from "../../parts/audit-list.tsx";
import { Id } from "../../parts/copy.tsx";
import { causeInWords, GroupName, isAttached, Unsealed } from "../../parts/group-name.tsx";
import { useKeys } from "../../parts/keys.ts";
import { Panel, useTitle } from "../../parts/page.tsx";
import { Loaded } from "../../parts/states.tsx";
import { Trend } from "../../parts/trend.tsx";
import { ActionBar } from "./action-bar.tsx";
import { Applies } from "./applies.tsx";
import { Detail } from "./detail.tsx";
import { GroupCases } from "./group-cases.tsx";
import { useGroupActions } from "./group-actions.tsx";
import { GroupFacts, Recipes } from "./group-facts.tsx";
import type { FullGroup } from "./group-facts.tsx";
import { attentionInWords } from "./group-words.ts";
import { Attention } from "./list-row.tsx";
import { ATTACHED_MS, useCases } from "./rows.ts";
import styles from "./inbox.module.css";

/** One group: what is wrong, how it stands, what was done with it, and what can be done. */
export function Group() {
  const { fingerprint = "" } = useParams({ strict: false });
  const query = useGroup(fingerprint);
  return <Loaded query={query}>{(group) => <Shown key={fingerprint} group={group} />}</Loaded>;
}

const useGroup = (fingerprint: string) =>
  $api.useQuery(
    "get",
    "/v1/ward/groups/{fingerprint}",
    { params: { path: { fingerprint } } },
    { refetchInterval: isAttached(fingerprint) ? ATTACHED_MS : false },
  );

/** Stands in the place of what a viewer may not do. */
export const LOOK_ONLY = "Your role may look, not decide.";

function Shown({ group }: { readonly group: FullGroup }) {
  const { fingerprint, recipes, audit } = group;
  const list = useCases({ fingerprint });
  const actions = useGroupActions(group);
  const first = list.cases[0];
  const [cause, ...causes] = group.cause.map(causeInWords);
  useTitle(cause === undefined ? fingerprint : `${fingerprint.split("/")[0]}: ${cause}`);
  const navigate = useNavigate();
  useKeys({
    c: () =>
      first !== undefined &&
      void navigate({
        to: "/inbox/case/$caseId",
        params: { caseId: first.case_id },
        search: { fingerprint },
      }),
  });
  const { what, next } = attentionInWords(group);
  return (
    <Detail
      head={
        <>
          <h1>
            <GroupName of={{ ...group, cause: group.cause.slice(0, 1) }} />
            {causes.length > 0 && (
              <span className={styles.quiet}> and {counted(causes.length, "more fault")}</span>
            )}
          </h1>
          <Attention of={group} />
          <Unsealed id={fingerprint} />
          <Id of={fingerprint} chars={40} />
        </>
      }
      bar={<ActionBar id={fingerprint} version={group.version} actions={actions} none={LOOK_ONLY} />}
    >
      <Panel
        title="How it stands"
        aside={<Trend counts={group.trend} label="Messages by hour, the last 48 hours" />}
      >
        <p className={styles.callout} data-attention={group.attention}>
          {what} <span className={styles.quiet}>{next}</span>
        </p>
        {causes.length > 0 && (
          <ul className={styles.faults} aria-label="Faults">
            {group.cause.map((line) => (
              <li key={line}>{causeInWords(line)}</li>
            ))}
          </ul>
        )}
        <GroupFacts of={group} contract={first?.contract} />
      </Panel>
      <Applies fingerprint={fingerprint} />
      <Panel title="Cases" aside={first !== undefined && <FirstKey />}>
        <GroupCases fingerprint={fingerprint} />
      </Panel>
      {!isAttached(fingerprint) && (
        <Panel title="Recipes">
          <Recipes of={recipes} />
        </Panel>
      )}
      <Panel title="Who did what">
        <AuditList of={audit} empty="Nobody has done anything with the whole group." />
      </Panel>
    </Detail>
  );
}

function FirstKey() {
  return (
    <span className={styles.quiet}>
      <kbd>c</kbd> opens the first
    </span>
  );
}
