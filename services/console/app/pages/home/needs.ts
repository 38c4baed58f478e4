import type { operations } from "#shared/api/client";
import { counted, money } from "../../parts/amounts.ts";
import type { Tone } from "../../parts/badge.tsx";

type Answer<Name extends keyof operations> = operations[Name] extends {
  readonly responses: { readonly 200: { readonly content: { readonly "application/json": infer Body } } };
}
  ? Body
  : never;
export type Overview = Answer<"showOverview">;
export type Group = Answer<"listGroups">["groups"][number];
export type Apply = Answer<"listApplies">["applies"][number];

/** Something that waits for a person. */
export interface Need {
  readonly key: string;
  readonly tone: Tone;
  /** In a word or two. */
  readonly kind: string;
  /** The group that it is about, which names itself; else `what` begins with its subject. */
  readonly group?: Group;
  readonly what: string;
  /** In ms since the epoch; null where nobody knows. */
  readonly since: number | null;
  /** Address below the base, and what can be done there. */
  readonly to: string;
  readonly action: string;
}

const NAMES_SHOWN = 3;

function named(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN).join(", ");
  return names.length > NAMES_SHOWN ? `${shown} and ${names.length - NAMES_SHOWN} more` : shown;
}

/** Address of what one name, or a page of several, stands for. */
const agentPlace = ([name = "", ...more]: readonly string[]): string =>
  more.length === 0 ? `agents/${encodeURIComponent(name)}` : "agents";

/** Returns what is wrong with the installation itself: the equation, queues, agents, models, money. */
export function systemNeeds({ equation, queues, agents, ...overview }: Overview): Need[] {
  const needs: (Need | false)[] = [];
  needs.push(
    !equation.balanced && {
      key: "equation",
      tone: "bad",
      kind: "equation off",
      what:
        equation.lost > 0 ? `${counted(equation.lost, "message")} lost` : "submitted and ended runs differ",
      since: null,
      to: "flow",
      action: "Look at the flow",
    },
  );
  const damaged = [...new Set(queues.filter(({ damage }) => damage !== null).map(({ agent }) => agent))];
  needs.push(
    damaged.length > 0 && {
      key: "damage",
      tone: "bad",
      kind: "queue damaged",
      what: `${named(damaged)}: keys of the queue are damaged`,
      since: null,
      to: "queues",
      action: "Look at the queues",
    },
  );
  needs.push(...modelNeeds(agents));
  const waiting = new Map<string, number>();
  for (const { agent, waiting: count } of queues) waiting.set(agent, (waiting.get(agent) ?? 0) + count);
  const idle = agents.filter(({ declared, live }) => declared && live.length === 0).map(({ agent }) => agent);
  const held = idle.reduce((sum, agent) => sum + (waiting.get(agent) ?? 0), 0);
  needs.push(
    idle.length > 0 && {
      key: "processes",
      tone: held > 0 ? "bad" : "warn",
      kind: "no process",
      what: `${named(idle)}: ${held === 0 ? "nothing waits there" : `${counted(held, "message")} ${held === 1 ? "waits" : "wait"}`}`,
      since: null,
      to: agentPlace(idle),
      action: idle.length === 1 ? "Look at the agent" : "Look at the agents",
    },
  );
  const paused = [...new Set(queues.filter((one) => one.is_paused).map(({ agent }) => agent))];
  needs.push(
    paused.length > 0 && {
      key: "paused",
      tone: "warn",
      kind: "paused",
      what: `${named(paused)}: somebody stopped giving out messages`,
      since: null,
      to: agentPlace(paused),
      action: "Resume",
    },
  );
  const { surgery_held: limit, surgery_limits: limits } = overview;
  needs.push(
    limit !== null && {
      key: "money",
      tone: "warn",
      kind: "money spent",
      what: `The limit of ${money(limits.cost_per_hour)} an hour holds repairs back until the next hour`,
      since: limit.since_ms,
      to: "cost",
      action: "Look at the cost",
    },
  );
  return needs.filter((need) => need !== false);
}

function modelNeeds(agents: Overview["agents"]): Need[] {
  const away = new Map<string, { agents: Set<string>; since: number; reason: string }>();
  for (const { agent, live } of agents)
    for (const { waits_for_model: waits } of live) {
      if (waits === null) continue;
      const known = away.get(waits.model) ?? { agents: new Set(), since: Infinity, reason: waits.reason };
      known.agents.add(agent);
      away.set(waits.model, { ...known, since: Math.min(known.since, Date.parse(waits.since)) });
    }
  return [...away].map(([model, { agents: waiting, since, reason }]) => ({
    key: `model ${model}`,
    tone: "bad",
    kind: "model away",
    what: `${model}: ${named([...waiting])} ${waiting.size === 1 ? "waits" : "wait"}${reason === "configuration" ? "; a setting has to be corrected" : ""}`,
    since,
    to: agentPlace([...waiting]),
    action: reason === "configuration" ? "Correct the setting" : "Look at the agents",
  }));
}

const OF_GROUPS: Readonly<Record<string, { tone: Tone; kind: string; action: string }>> = {
  regressed: { tone: "bad", kind: "came back", action: "Look at what changed" },
  failing_again: { tone: "bad", kind: "fails again", action: "Look at a repair" },
  waiting: { tone: "warn", kind: "waits", action: "Decide" },
};

/** Returns the groups that wait for a person, in the order given. */
export function groupNeeds(groups: readonly Group[]): Need[] {
  return groups.flatMap((group) => {
    const of = OF_GROUPS[group.attention];
    if (of === undefined) return [];
    const { quarantined: count, regression } = group;
    const again =
      group.attention === "failing_again" ? `, ${group.replays} of ${group.sent_on} came back` : "";
    return {
      ...of,
      key: group.fingerprint,
      group,
      what: `${counted(count, "case")} ${count === 1 ? "waits" : "wait"}${again}`,
      since: regression?.at_ms ?? group.first_seen_ms,
      to: `inbox/group/${encodeURIComponent(group.fingerprint)}`,
    };
  });
}

/** Returns work on groups whose first few have gone on, so that somebody looks before the rest. */
export function workNeeds(applies: readonly Apply[]): Need[] {
  return applies
    .filter(({ state }) => state === "look")
    .map((one) => ({
      key: one.batch_id,
      tone: "accent",
      kind: "look first",
      what: `${one.decision} by ${one.by}: ${one.went_on} of the first ${one.canary} went on, ${one.died_again} came back`,
      since: one.changed_ms,
      to: `inbox/group/${encodeURIComponent(one.fingerprint)}`,
      action: "Look and go on",
    }));
}
