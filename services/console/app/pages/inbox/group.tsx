import { Link, useNavigate, useParams } from "@tanstack/react-router";
import type { ComponentProps } from "react";
import { visible } from "#shared/json";
import { $api, api, useRole } from "../../data/api.ts";
import { useCommands } from "../../parts/commands.ts";
import { addressOf, causeInWords, GroupName, isAttached, producerName } from "../../parts/links.tsx";
import { Copy, Facts, Loaded, Panel, Status, useTitle, When } from "../../parts/page.tsx";
import { AskWhy } from "../../parts/reason-form.tsx";
import { amount, LOG, TablePanel, Trend } from "../../parts/table.tsx";
import type { Columns } from "../../parts/table.tsx";
import { counted, money, percent, whole } from "../../parts/text.ts";
import { groupActions } from "./actions.ts";
import type { FullGroup } from "./actions.ts";
import { Applies } from "./applies.tsx";
import { Detail } from "./decide.tsx";
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
  const navigate = useNavigate();
  const cases = { to: "/inbox", search: { fingerprint } } as const;
  useCommands([{ name: "Cases of the group", key: "c", run: () => void navigate(cases) }]);
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
        <Facts of={{ ...factsOf(group), "Its cases": <Link {...cases}>all that are kept</Link> }} />
      </Panel>
      {!isAttached(fingerprint) && <CauseNote fingerprint={fingerprint} />}
      <Applies fingerprint={fingerprint} />
      {!isAttached(fingerprint) && (
        <TablePanel
          title="Recipes"
          rows={recipes}
          keyOf={({ recipe_id: id }) => id}
          columns={RECIPES}
          empty="None. The first repair that is proved, or that you sign, makes one for the cases like it."
        />
      )}
      <TablePanel
        title="Who did what"
        rows={audit}
        {...LOG}
        empty="Nobody has done anything with all of it."
      />
    </Detail>
  );
}

/** Advice for a person, by the need of a group. */
const NEXT: Readonly<Record<FullGroup["attention"], string>> = {
  regressed: "It came back: look at what the last producer changed; then acknowledge or reopen it.",
  failing_again: "Repairs do not hold: look at a case that came back, and edit or retire its recipe.",
  waiting: "Cases wait for a decision: decide one, then apply the same to all.",
  looked_after: "Somebody looks after it: resolve it when its cause is gone.",
  in_treatment: "The surgeon is on it: nothing to do yet.",
  quiet: "Nothing of it is open: nothing to do.",
};

function factsOf(group: FullGroup): ComponentProps<typeof Facts>["of"] {
  const { replays, sent_on: sentOn, resolution, regression, rest, acknowledged_until_ms: until } = group;
  const held = `${counted(sentOn, "message")} sent on, ${replays} failed again`;
  return {
    "Wait for a person": `${whole(group.quarantined)} of ${counted(group.open, "open case")}`,
    "Messages in all": whole(group.count),
    "First seen": <When at={group.first_seen_ms} />,
    "Last seen": <When at={group.last_seen_ms} />,
    "Began with": visible(producerName(group.producer)),
    Repairs: sentOn === 0 ? "none sent on yet" : `${held} (${percent(Math.min(1, replays / sentOn))})`,
    "Cost of repairs": money(group.cost),
    "Next model call": rest.waiting > 0 && (
      <span>
        {counted(rest.waiting, "case shares", "cases share")} one <When at={rest.until_ms} />{" "}
        {visible(rest.why)}
      </span>
    ),
    Lifecycle: !isAttached(group.fingerprint) && <Status of={group.lifecycle} />,
    "Looked after until": until !== null && <When at={until} />,
    Resolved: resolution !== null && (
      <span>
        <When at={resolution.at_ms} by={resolution.by} />
        {resolution.since && `, for ${resolution.since.name}@${resolution.since.version} and later`}
      </span>
    ),
    "Came back with": regression !== null && visible(producerName(regression.producer)),
  };
}

/** The surgeon is writing: no news tells when it is done, in ms. */
const WRITING_MS = 1000;

/** The note on the cause of a group: asked for, read, and copied as an issue. What the model wrote is text. */
function CauseNote({ fingerprint }: { readonly fingerprint: string }) {
  const role = useRole();
  const path = "/v1/ward/groups/{fingerprint}/cause";
  const params = { path: { fingerprint } };
  const { data } = $api.useQuery(
    "get",
    path,
    { params },
    { refetchInterval: ({ state }) => (state.data?.note?.state === "asked" ? WRITING_MS : false) },
  );
  const note = data?.note ?? null;
  const canAsk = role !== "viewer" && (note === null || note.state === "failed");
  const said = {
    none: "The surgeon's model can say what goes wrong, since when, and what to change.",
    asked: "The surgeon is writing it.",
    failed: `It could not be written. ${note?.problem ?? ""}`,
    written: "",
  }[note?.state ?? "none"];
  return (
    <Panel title="Cause note" aside={data?.issue && <Copy of={data.issue} label="Copy as an issue" />}>
      <p role="status" className={styles.quiet}>
        {visible(said)}
      </p>
      {note?.text && (
        <Facts
          of={{
            "What goes wrong": visible(note.text.what_goes_wrong),
            "Since when": visible(note.text.since_when),
            [`What to change in the ${note.text.change_in}`]: visible(note.text.change),
            Written: (
              <span>
                <When at={note.at} /> by {note.model}, for {note.by}, from{" "}
                {counted(note.examples.length, "case")}, {money(note.cost)}
              </span>
            ),
          }}
        />
      )}
      {canAsk && (
        <AskWhy title="Write a cause note" asksWhy={false} send={() => api.POST(path, { params, body: {} })}>
          It costs the group’s money.
        </AskWhy>
      )}
    </Panel>
  );
}

const RECIPES: Columns<FullGroup["recipes"][number]> = {
  State: ({ state }) => <Status of={state} />,
  Recipe: ({ recipe_id: id }) => <Link {...addressOf.recipe(id)}>{id}</Link>,
  Healed: amount(({ healed }) => healed),
  "Failed again": amount(({ failures }) => failures),
};
