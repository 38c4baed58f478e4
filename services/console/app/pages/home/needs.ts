import type { Answer } from "../../data/api.ts";
import { addressOf } from "../../parts/links.tsx";
import type { Tone } from "../../parts/page.tsx";
import { counted, money } from "../../parts/text.ts";

export type Overview = Answer<"/v1/overview">;
export type Group = Answer<"/v1/ward/groups">["groups"][number];
type Apply = Answer<"/v1/ward/applies">["applies"][number];

/** Something that a person may have to see to, in a word or two, with its action. */
const KINDS = {
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
  waiting: { tone: "warn", kind: "waits", action: "Decide" },
} as const satisfies Record<string, { tone: Tone; kind: string; action: string }>;

/** The place where something is seen to. */
type Address = ReturnType<typeof addressOf.group | typeof addressOf.agent> | { readonly to: Page };
type Page = "/agents" | "/cost" | "/flow" | "/queues";

/** Something that waits for a person. */
export interface Need {
  readonly of: keyof typeof KINDS;
  /** The group that it is about, which names itself; else `what` begins with its subject. */
  readonly group?: Group;
  readonly what: string;
  readonly to: Address;
  /** In ms since the epoch. Absent where nobody knows. */
  readonly since?: number | undefined;
}

export const kindOf = ({ of }: Need) => KINDS[of];

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
  const held = queues.reduce((sum, one) => sum + (idle.includes(one.agent) ? one.waiting : 0), 0);
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
    const { attention: of, quarantined: count, fingerprint, replays, sent_on: sent } = group;
    if (of !== "regressed" && of !== "failing_again" && of !== "waiting") return [];
    const again = of === "failing_again" ? `, ${replays} of ${sent} came back` : "";
    const what = `${counted(count, "case")} ${wait(count)}${again}`;
    const since = group.regression?.at_ms ?? group.first_seen_ms;
    return [{ of, group, what, since, to: addressOf.group(fingerprint) }];
  });
}

/** Returns work on groups that waits for a look before the rest, after its canary or a pause. */
export function workNeeds(applies: readonly Apply[]): readonly Need[] {
  const asking = applies.filter(({ state }) => state === "look");
  return asking.map(({ decision, by, went_on: went, decided, died_again: back, ...one }) => ({
    of: "look",
    what: `${decision} by ${by}: ${went} of the first ${decided} went on, ${back} came back`,
    since: one.changed_ms,
    to: addressOf.group(one.fingerprint),
  }));
}
