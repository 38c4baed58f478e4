import { Link } from "@tanstack/react-router";
import type { LinkProps } from "@tanstack/react-router";
import { $api, useRole } from "../../data/api.ts";
import type { Answer } from "../../data/api.ts";
import { addressOf, GroupName, Unsealed } from "../../parts/links.tsx";
import { Badge, Failed, Page, When } from "../../parts/page.tsx";
import type { Tone } from "../../parts/page.tsx";
import { amount, TablePanel, Trend } from "../../parts/table.tsx";
import { addUp, counted, money, sum, whole } from "../../parts/text.ts";
import styles from "./home.module.css";

const GROUPS_SHOWN = 12;
const GROUPS_READ = 200;
const DAY_HOURS = 24;

/** Things that need a person now, each with the place where it is done, and the numbers of the last hour and day. */
export function Home() {
  const groups = $api.useQuery("get", "/v1/ward/groups", {
    params: { query: { sort: "need", limit: GROUPS_READ } },
  });
  const overview = $api.useQuery("get", "/v1/overview");
  const applies = $api.useQuery("get", "/v1/ward/applies");
  const ofGroups = groupNeeds(groups.data?.groups ?? []);
  // All at once: what comes later would push down what somebody reads.
  const isKnown = [groups, overview, applies].every(({ isPending }) => !isPending);
  const all = [
    ...(overview.data === undefined ? [] : systemNeeds(overview.data)),
    ...workNeeds(applies.data?.applies ?? []),
    ...ofGroups.slice(0, GROUPS_SHOWN),
  ];
  const needs = isKnown ? all : [];
  const left = Math.max(0, ofGroups.length - GROUPS_SHOWN);
  const count = needs.length + left;
  const failed = [groups, overview].find(({ data, error }) => data === undefined && error !== null);
  const sentence = `${count === 0 ? "Nothing needs" : counted(count, "thing needs", "things need")} you`;
  return (
    <Page title="Home">
      <section className={styles.needs} aria-label="What needs you">
        <h2 className={styles.sentence}>{isKnown && failed === undefined ? sentence : "…"}</h2>
        {failed !== undefined && <Failed error={failed.error} />}
        {isKnown && failed === undefined && count === 0 && (
          <p>No case waits for a decision, and every agent has a process.</p>
        )}
        <ul>
          {needs.map((need) => (
            <Item key={`${need.of} ${JSON.stringify(need.to)} ${need.since}`} need={need} />
          ))}
        </ul>
        {isKnown && left > 0 && <Link to="/inbox">and {counted(left, "more group")}</Link>}
      </section>
      {isKnown && <Numbers groups={groups.data?.groups ?? []} />}
    </Page>
  );
}

function Item({ need }: { readonly need: Need }) {
  const { group, what, since, to } = need;
  const { tone, kind, action } = KINDS[need.of];
  const role = useRole();
  return (
    <li className={styles.need}>
      <span>
        <Badge tone={tone}>{kind}</Badge>
      </span>
      <span className={styles.what}>
        {group !== undefined && (
          <Link {...to}>
            <GroupName of={group} /> <Unsealed id={group.fingerprint} />
          </Link>
        )}
        <span className={group === undefined ? "" : styles.quiet}>{what}</span>
      </span>
      <span className={styles.since}>{since !== undefined && <When at={since} />}</span>
      <span className={styles.action}>
        <Link {...to}>{role === "viewer" ? "Look at it" : action}</Link>
      </span>
    </li>
  );
}

/** The last hour and day in numbers, and the runs that went well in all. */
function Numbers({ groups }: { readonly groups: readonly Group[] }) {
  const { data: { equation, ward } = {} } = $api.useQuery("get", "/v1/overview");
  const { data: costs } = $api.useQuery("get", "/v1/ward/costs");
  const { data: rates } = $api.useQuery("get", "/v1/producers", { params: { query: { span: "two_days" } } });
  const { data: paid } = $api.useQuery("get", "/v1/costs", { params: { query: { span: "two_days" } } });
  const made = (rates?.producers ?? []).map(({ trend }) => trend);
  const day = (lists: readonly (readonly number[])[]) => addUp(lists, DAY_HOURS);
  const rows = [
    { name: "Messages", to: "/flow", say: whole, trend: day(made.map(({ outputs }) => outputs)) },
    { name: "Malformed", to: "/flow", say: whole, trend: day(made.map(({ malformed }) => malformed)) },
    { name: "Failures", to: "/inbox", say: whole, trend: day(groups.map(({ trend }) => trend)) },
    { name: "Models", to: "/cost", say: money, trend: day((paid?.costs ?? []).map(({ trend }) => trend)) },
    { name: "Repairs", to: "/cost", say: money, trend: costs?.hours ?? [] },
  ] as const;
  const healed = (ward?.discharged ?? 0) + (ward?.released ?? 0);
  return (
    <TablePanel
      title="The last hour and day"
      rows={rows}
      keyOf={({ name }) => name}
      columns={{
        What: ({ name, to }) => <Link to={to}>{name}</Link>,
        "This hour": amount(({ say, trend }: (typeof rows)[number]) => say(trend.at(-1) ?? 0)),
        "24 hours": amount(({ say, trend }: (typeof rows)[number]) => say(sum(trend))),
        "By hour": ({ name, trend }) => <Trend counts={trend} label={`${name} by hour`} />,
      }}
    >
      <p className={styles.numbers}>
        In all: {counted(equation?.waiting ?? 0, "run")} under way, {whole(equation?.completed ?? 0)}{" "}
        completed, {whole(equation?.failed ?? 0)} failed; {counted(healed, "case")} healed and sent on.
      </p>
    </TablePanel>
  );
}

export type Overview = Answer<"/v1/overview">;
export type Group = Answer<"/v1/ward/groups">["groups"][number];
type Apply = Answer<"/v1/ward/applies">["applies"][number];

/** Kinds of what a person may have to see to, in a word or two, with the action. */
export const KINDS = {
  equation: { tone: "bad", kind: "equation off", action: "Look at the flow" },
  damage: { tone: "bad", kind: "queue damaged", action: "Look at the queues" },
  model: { tone: "bad", kind: "model away", action: "Look at the agents" },
  setting: { tone: "bad", kind: "model away", action: "Correct the setting" },
  processes: { tone: "bad", kind: "no process", action: "Look at the agents" },
  paused: { tone: "warn", kind: "paused", action: "Resume" },
  money: { tone: "warn", kind: "money spent", action: "Look at the cost" },
  look: { tone: "accent", kind: "look first", action: "Look and go on" },
  regressed: { tone: "bad", kind: "came back", action: "Look at what changed" },
  failing_again: { tone: "bad", kind: "fails again", action: "Look at a repair" },
  proposed: { tone: "accent", kind: "proposed", action: "Look and sign" },
  waiting: { tone: "warn", kind: "waits", action: "Decide" },
} as const satisfies Record<string, { tone: Tone; kind: string; action: string }>;

/** The place where something is seen to. */
type Address = Pick<LinkProps, "to" | "params" | "search">;

/** Something that waits for a person. */
interface Need {
  readonly of: keyof typeof KINDS;
  /** The group that it is about, which names itself; else `what` begins with its subject. */
  readonly group?: Group;
  readonly what: string;
  readonly to: Address;
  /** In ms since the epoch. Absent where nobody knows. */
  readonly since?: number | undefined;
}

const NAMES_SHOWN = 3;
const wait = (count: number): string => (count === 1 ? "waits" : "wait");
const namesOf = (all: readonly { readonly agent: string }[]) => [...new Set(all.map(({ agent }) => agent))];
const agentPlace = (names: readonly string[]): Address =>
  names.length === 1 ? addressOf.agent(names.join("")) : { to: "/agents" };

function named(names: readonly string[]): string {
  const more = names.length - NAMES_SHOWN;
  return names.slice(0, NAMES_SHOWN).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** Returns what is said of all these agents; "" without any. */
const saying = (names: readonly string[], said: string): string =>
  names.length === 0 ? "" : `${named(names)}: ${said}`;

/** Returns what is wrong with the installation itself: the equation, queues, agents, models, money. */
export function systemNeeds(overview: Overview): readonly Need[] {
  const { equation, queues, agents, surgery_held: limit, surgery_limits: limits } = overview;
  const damaged = namesOf(queues.filter(({ damage }) => damage !== null));
  const paused = namesOf(queues.filter((one) => one.is_paused));
  const idle = namesOf(agents.filter(({ declared, live }) => declared && live.length === 0));
  const held = sum(queues.map((one) => (idle.includes(one.agent) ? one.waiting : 0)));
  const kept = held === 0 ? "nothing waits there" : `${counted(held, "message")} ${wait(held)}`;
  const lost = equation.lost > 0 ? `${counted(equation.lost, "message")} lost` : "submitted and ended differ";
  const spent = `The limit of ${money(limits.cost_per_hour)} an hour holds repairs back until the next`;
  const needs: readonly Need[] = [
    { of: "equation", what: equation.balanced ? "" : lost, to: { to: "/flow" } },
    { of: "damage", what: saying(damaged, "keys are damaged"), to: { to: "/queues" } },
    ...modelNeeds(agents),
    { of: "processes", what: saying(idle, kept), to: agentPlace(idle) },
    { of: "paused", what: saying(paused, "gives out no messages"), to: agentPlace(paused) },
    { of: "money", what: limit === null ? "" : spent, since: limit?.since_ms, to: { to: "/cost" } },
  ];
  return needs.filter(({ what }) => what !== "");
}

function modelNeeds(agents: Overview["agents"]): readonly Need[] {
  const waiting = agents.flatMap(({ agent, live }) =>
    live.flatMap(({ waits_for_model: waits }) => (waits === null ? [] : [{ agent, ...waits }])),
  );
  return [...Map.groupBy(waiting, ({ model }) => model)].map(([model, all]) => {
    const names = namesOf(all);
    return {
      of: all.some(({ reason }) => reason === "configuration") ? "setting" : "model",
      what: `${model}: ${named(names)} ${wait(names.length)}`,
      since: Math.min(...all.map(({ since }) => Date.parse(since))),
      to: agentPlace(names),
    };
  });
}

/** Returns the groups that wait for a person, in the order given. */
export function groupNeeds(groups: readonly Group[]): readonly Need[] {
  return groups.flatMap((group): readonly Need[] => {
    const { attention: of, quarantined: count, fingerprint, proposed, replays, sent_on: sent } = group;
    const signed = { to: "/inbox", search: { fingerprint, text: "proposed" } } as const;
    const proposal = {
      of: "proposed",
      group,
      what: `${counted(proposed, "proposal")} to sign`,
      to: signed,
    } as const;
    const proposals = proposed > 0 ? [proposal] : [];
    if (of !== "regressed" && of !== "failing_again" && of !== "waiting") return proposals;
    const again = of === "failing_again" ? `, ${replays} of ${sent} came back` : "";
    const what = `${counted(count, "case")} ${wait(count)}${again}`;
    const since = group.regression?.at_ms ?? group.first_seen_ms;
    return [...proposals, { of, group, what, since, to: addressOf.group(fingerprint) }];
  });
}

/** Returns work on groups that waits for a look before the rest, after its canary or a pause. */
function workNeeds(applies: readonly Apply[]): readonly Need[] {
  const asking = applies.filter(({ state }) => state === "look");
  return asking.map(({ decision, by, went_on: went, decided, died_again: back, ...one }) => ({
    of: "look",
    what: `${decision} by ${by}: ${went} of the first ${decided} went on, ${back} came back`,
    since: one.changed_ms,
    to: addressOf.group(one.fingerprint),
  }));
}
