import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { paths } from "#shared/api/client";
import { counted, money } from "../../parts/amounts.ts";
import { Badge, Status } from "../../parts/badge.tsx";
import { Facts } from "../../parts/facts.tsx";
import { isAttached, producerName } from "../../parts/group-name.tsx";
import { visible } from "../../parts/visible.ts";
import { When } from "../../parts/when.tsx";
import { replayRate } from "./group-words.ts";
import styles from "./inbox.module.css";

/** A group with its recipes and its audit. */
export type FullGroup =
  paths["/v1/ward/groups/{fingerprint}"]["get"]["responses"][200]["content"]["application/json"];

/** How a group stands, in numbers. */
export function GroupFacts({
  of,
  contract,
}: {
  readonly of: FullGroup;
  readonly contract: string | undefined;
}) {
  return <Facts of={factsOf(of, contract)} />;
}

function factsOf(
  group: FullGroup,
  contract: string | undefined,
): readonly (readonly [string, ReactNode] | false)[] {
  const { replays, sent_on: sentOn, resolution, regression, rest } = group;
  const rate = replayRate(group);
  const since = resolution?.since;
  return [
    ["Wait for a person", `${group.quarantined.toLocaleString("en")} of ${counted(group.open, "open case")}`],
    ["Messages in all", group.count.toLocaleString("en")],
    ["First seen", <When key="first" at={group.first_seen_ms} />],
    ["Last seen", <When key="last" at={group.last_seen_ms} />],
    ["Began with", visible(producerName(group.producer))],
    contract !== undefined && ["Contract", contract],
    [
      "Repairs",
      rate === null
        ? "none sent on yet"
        : `${counted(sentOn, "message")} sent on, ${replays} failed again (${rate})`,
    ],
    ["Cost of repairs", money(group.cost)],
    rest.waiting > 0 && [
      "Next model call",
      rest.until_ms === null ? (
        `${counted(rest.waiting, "case")} share one`
      ) : (
        <span key="rest">
          <When at={rest.until_ms} />: {visible(rest.why)} {counted(rest.waiting, "case")} wait.
        </span>
      ),
    ],
    !isAttached(group.fingerprint) && ["Lifecycle", <Status key="lifecycle" of={group.lifecycle} />],
    resolution !== null && [
      "Resolved",
      <span key="resolved">
        by {resolution.by} <When at={resolution.at_ms} />
        {since !== undefined && since !== null && `, for ${since.name}@${since.version} and later`}
      </span>,
    ],
    regression !== null && [
      "Came back",
      <span key="back">
        <When at={regression.at_ms} /> from {visible(producerName(regression.producer))}
      </span>,
    ],
  ];
}

/** What has been learned of a group. */
export function Recipes({ of }: { readonly of: FullGroup["recipes"] }) {
  if (of.length === 0)
    return (
      <p className={styles.quiet}>
        None. The first repair that is proved, or that you sign, makes one, and it heals the cases like it.
      </p>
    );
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
    </ul>
  );
}
