import { Link, useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { $api } from "../../data/api.ts";
import { useCommands } from "../../parts/commands.ts";
import { addressOf, causeInWords, GroupName, isAttached, producerName } from "../../parts/links.tsx";
import { Facts, Loaded, Panel, Status, useTitle, When } from "../../parts/page.tsx";
import { amount, LogPanel, TablePanel, Trend } from "../../parts/table.tsx";
import type { Columns } from "../../parts/table.tsx";
import { counted, money, percent, visible } from "../../parts/text.ts";
import { groupActions } from "./actions.ts";
import type { FullGroup } from "./actions.ts";
import { Applies } from "./applies.tsx";
import { CauseNote } from "./cause.tsx";
import { Detail } from "./decide.tsx";
import { ListRow } from "./inbox.tsx";
import styles from "./inbox.module.css";

/** One group: what is wrong, how it stands, what was done with it, and what can be done. */
export function Group() {
  const { fingerprint = "" } = useParams({ strict: false });
  const params = { path: { fingerprint } };
  const query = $api.useQuery("get", "/v1/ward/groups/{fingerprint}", { params });
  return <Loaded query={query}>{(group) => <Shown key={fingerprint} group={group} />}</Loaded>;
}

function Shown({ group }: { readonly group: FullGroup }) {
  const { fingerprint, attention, cause, trend, recipes, audit } = group;
  useTitle([fingerprint.split("/")[0], ...cause.slice(0, 1).map(causeInWords)].join(": "));
  return (
    <Detail
      id={fingerprint}
      title={<GroupName of={group} />}
      status={attention}
      version={group.version}
      actions={groupActions(group)}
    >
      <Panel title="How it stands" aside={<Trend counts={trend} label="Messages by hour, two days" />}>
        <p className={styles.callout} data-attention={attention}>
          {NEXT[attention]}
        </p>
        <Facts of={factsOf(group)} />
      </Panel>
      {!isAttached(fingerprint) && <CauseNote fingerprint={fingerprint} />}
      <Applies fingerprint={fingerprint} />
      <Cases search={{ fingerprint }} />
      {!isAttached(fingerprint) && (
        <TablePanel
          title="Recipes"
          rows={recipes}
          keyOf={({ recipe_id: id }) => id}
          columns={RECIPES}
          empty={<p className={styles.quiet}>{NO_RECIPE}</p>}
        />
      )}
      <LogPanel title="Who did what" of={audit} empty="Nobody has done anything with the whole group." />
    </Detail>
  );
}

/** The newest cases of a group; the list at the left shows all of them. */
function Cases({ search }: { readonly search: { readonly fingerprint: string } }) {
  const navigate = useNavigate();
  const query = { ...search, limit: 5 };
  const { data } = $api.useQuery("get", "/v1/ward/cases", { params: { query } });
  const caseId = data?.cases[0]?.case_id ?? "";
  const run = () => void navigate({ ...addressOf.case(caseId), search });
  const newest = { name: "Newest case of the group", key: "c", run };
  useCommands(caseId === "" ? [] : [newest]);
  return (
    <Panel title="Newest cases">
      <ul className={styles.cases}>
        {data?.cases.map((one) => (
          <li key={one.case_id}>
            <ListRow of={one} />
          </li>
        ))}
      </ul>
      <Link to="/inbox" search={search}>
        All cases that are kept
      </Link>
    </Panel>
  );
}

const NO_RECIPE = "None. The first repair that is proved, or that you sign, makes one for the cases like it.";

/** Advice for a person, by the need of a group. */
const NEXT: Readonly<Record<FullGroup["attention"], string>> = {
  regressed: "It came back: look at what the last producer changed; then acknowledge or reopen it.",
  failing_again: "Repairs do not hold: look at a case that came back, and edit or retire its recipe.",
  waiting: "Cases wait for a decision: decide one, then apply the same to all.",
  looked_after: "Somebody looks after it: resolve it when its cause is gone.",
  in_treatment: "The surgeon is on it: nothing to do yet.",
  quiet: "Nothing of it is open: nothing to do.",
};

function factsOf(group: FullGroup): readonly (readonly [string, ReactNode] | false)[] {
  const { replays, sent_on: sentOn, resolution, regression, rest, acknowledged_until_ms: until } = group;
  const held = `${counted(sentOn, "message")} sent on, ${replays} failed again`;
  return [
    ["Wait for a person", `${group.quarantined.toLocaleString("en")} of ${counted(group.open, "open case")}`],
    ["Messages in all", group.count.toLocaleString("en")],
    ["First seen", <When key="first" at={group.first_seen_ms} />],
    ["Last seen", <When key="last" at={group.last_seen_ms} />],
    ["Began with", visible(producerName(group.producer))],
    ["Repairs", sentOn === 0 ? "none sent on yet" : `${held} (${percent(Math.min(1, replays / sentOn))})`],
    ["Cost of repairs", money(group.cost)],
    rest.waiting > 0 && [
      "Next model call",
      <span key="rest">
        {counted(rest.waiting, "case shares", "cases share")} one <When at={rest.until_ms} />{" "}
        {visible(rest.why)}
      </span>,
    ],
    !isAttached(group.fingerprint) && ["Lifecycle", <Status key="lifecycle" of={group.lifecycle} />],
    until !== null && ["Looked after until", <When key="until" at={until} />],
    resolution !== null && [
      "Resolved",
      <span key="resolved">
        by {resolution.by} <When at={resolution.at_ms} />
        {resolution.since && `, for ${resolution.since.name}@${resolution.since.version} and later`}
      </span>,
    ],
    regression !== null && ["Came back with", visible(producerName(regression.producer))],
  ];
}

const RECIPES: Columns<FullGroup["recipes"][number]> = {
  State: ({ state }) => <Status of={state} />,
  Recipe: ({ recipe_id: id }) => <Link {...addressOf.recipe(id)}>{id}</Link>,
  Healed: amount(({ healed }) => healed),
  "Failed again": amount(({ failures }) => failures),
};
