import { Link, useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { $api } from "../../data/api.ts";
import { counted, money, percent } from "../../parts/amounts.ts";
import { AuditList } from "../../parts/audit-list.tsx";
import { Badge, Status } from "../../parts/badge.tsx";
import { Facts } from "../../parts/facts.tsx";
import { causeInWords, GroupName, isAttached, producerName } from "../../parts/group-name.tsx";
import { useKeys } from "../../parts/keys.ts";
import { Panel, useTitle } from "../../parts/page.tsx";
import { Loaded } from "../../parts/states.tsx";
import { Trend } from "../../parts/trend.tsx";
import { visible } from "../../parts/visible.ts";
import { When } from "../../parts/when.tsx";
import { groupActions } from "./actions.ts";
import type { FullGroup } from "./actions.ts";
import { Applies } from "./applies.tsx";
import { Detail } from "./decide.tsx";
import { ATTACHED_MS, ListRow } from "./rows.tsx";
import styles from "./inbox.module.css";

/** One group: what is wrong, how it stands, what was done with it, and what can be done. */
export function Group() {
  const { fingerprint = "" } = useParams({ strict: false });
  const params = { path: { fingerprint } };
  const refetchInterval = isAttached(fingerprint) ? ATTACHED_MS : false;
  const query = $api.useQuery("get", "/v1/ward/groups/{fingerprint}", { params }, { refetchInterval });
  return <Loaded query={query}>{(group) => <Shown key={fingerprint} group={group} />}</Loaded>;
}

function Shown({ group }: { readonly group: FullGroup }) {
  const { fingerprint, attention, cause, trend, recipes, audit } = group;
  useTitle([fingerprint.split("/")[0], ...cause.slice(0, 1).map(causeInWords)].join(": "));
  const [what, next] = WORDS[attention];
  const head = (
    <>
      <h1>
        <GroupName of={group} />
      </h1>
      <Status of={attention} />
    </>
  );
  return (
    <Detail id={fingerprint} version={group.version} actions={groupActions(group)} head={head}>
      <Panel
        title="How it stands"
        aside={<Trend counts={trend} label="Messages by hour, the last 48 hours" />}
      >
        <p className={styles.callout} data-attention={attention}>
          {what(group)} <span className={styles.quiet}>{next}</span>
        </p>
        <Facts of={factsOf(group)} />
      </Panel>
      <Applies fingerprint={fingerprint} />
      <Cases search={{ fingerprint }} />
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

/** The newest cases of a group; the list at the left shows all of them. */
function Cases({ search }: { readonly search: { readonly fingerprint: string } }) {
  const navigate = useNavigate();
  const query = { ...search, limit: 5 };
  const { data } = $api.useQuery("get", "/v1/ward/cases", { params: { query } });
  const caseId = data?.cases[0]?.case_id ?? "";
  const to = { to: "/inbox/case/$caseId", params: { caseId }, search } as const;
  useKeys({ c: () => caseId !== "" && void navigate(to) });
  return (
    <Panel
      title="Cases"
      aside={
        <Link to="/inbox" search={search}>
          All cases
        </Link>
      }
    >
      <ul className={styles.cases}>
        {data?.cases.map((one) => (
          <li key={one.case_id}>
            <ListRow of={one} />
          </li>
        ))}
      </ul>
      <p className={styles.quiet}>{data?.cases.length === 0 && "Its cases are kept no more."}</p>
    </Panel>
  );
}

/** What is wrong with a group, and what a person can do next. */
const WORDS: Readonly<Record<FullGroup["attention"], readonly [(group: FullGroup) => string, string]>> = {
  regressed: [
    ({ resolution, regression, producer }) => {
      const since = resolution?.since ?? null;
      const from = since === null ? "" : ` from ${since.name}@${since.version} on`;
      const last = visible(producerName(regression?.producer ?? producer));
      return `Messages came after it was called resolved${from}. ${last} made the last of them.`;
    },
    "Look at what that producer changed; then acknowledge or reopen the group.",
  ],
  failing_again: [
    ({ replays, sent_on: sentOn }) =>
      `Repairs do not hold: ${replays} of ${counted(sentOn, "message")} that were sent on came back.`,
    "Look at a case that came back. Where a recipe repairs it wrongly, edit or retire that recipe.",
  ],
  waiting: [
    ({ quarantined: many }) => `${counted(many, "case waits", "cases wait")} for a decision.`,
    "Decide one case, then apply the same to all.",
  ],
  looked_after: [() => "Somebody looks after it.", "Resolve it when its cause is gone."],
  in_treatment: [({ open }) => `The surgeon is on ${counted(open, "case")}.`, "Nothing to do yet."],
  quiet: [() => "Nothing of it is open.", "Nothing to do."],
};

function factsOf(group: FullGroup): readonly (readonly [string, ReactNode] | false)[] {
  const { replays, sent_on: sentOn, resolution, rest } = group;
  const rate = percent(Math.min(1, replays / Math.max(1, sentOn)));
  return [
    ["Wait for a person", `${group.quarantined.toLocaleString("en")} of ${counted(group.open, "open case")}`],
    ["Messages in all", group.count.toLocaleString("en")],
    ["First seen", <When key="first" at={group.first_seen_ms} />],
    ["Last seen", <When key="last" at={group.last_seen_ms} />],
    ["Began with", visible(producerName(group.producer))],
    ["Repairs", `${counted(sentOn, "message")} sent on, ${replays} failed again (${rate})`],
    ["Cost of repairs", money(group.cost)],
    rest.waiting > 0 && [
      "Next model call",
      <span key="rest">
        {rest.until_ms !== null && <When at={rest.until_ms} />} {visible(rest.why)}{" "}
        {counted(rest.waiting, "case shares", "cases share")} one.
      </span>,
    ],
    !isAttached(group.fingerprint) && ["Lifecycle", <Status key="lifecycle" of={group.lifecycle} />],
    resolution !== null && [
      "Resolved",
      <span key="resolved">
        by {resolution.by} <When at={resolution.at_ms} />
        {resolution.since && `, for ${resolution.since.name}@${resolution.since.version} and later`}
      </span>,
    ],
  ];
}

/** What has been learned of a group. */
function Recipes({ of }: { readonly of: FullGroup["recipes"] }) {
  return (
    <ul className={styles.lines}>
      {of.map(({ recipe_id: id, state, healed, failures, by }) => (
        <li key={id}>
          <Status of={state} />{" "}
          <Link to="/recipes/$recipeId" params={{ recipeId: id }}>
            {id}
          </Link>
          <span className={styles.quiet}>
            {counted(healed, "message")} healed, by {visible(by)}
          </span>
          {failures > 0 && <Badge tone="bad">{failures} failed again</Badge>}
        </li>
      ))}
      {of.length === 0 && (
        <li className={styles.quiet}>
          None. The first repair that is proved, or that you sign, makes one, and it heals the cases like it.
        </li>
      )}
    </ul>
  );
}
